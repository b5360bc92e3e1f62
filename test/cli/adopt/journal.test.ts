import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { Journal } from "../../../cli/adopt/journal";
import { temporaryFolder } from "../../support/folder";

const SOURCE = { baseUrl: "https://api.example.com", inverterFields: undefined, command: "one" };
const CAR = { businessId: "acme", deviceId: "car" };
const READING = { ...CAR, type: "Electric vehicle", reported: { maxCapacity: 60_000 } };
const HOUR = 3_600_000;

describe("adopt: the journal of an adoption", () => {
  const path = temporaryFolder();
  const file = () => path("adopt.jsonl");
  const open = (source = SOURCE, now = 0) => new Journal(file(), source, () => now);

  it("gives a later run what an earlier one read", () => {
    open().add(READING);
    expect(open().find(CAR)).to.deep.equal(READING);
  });

  it("forgets what is older than an hour", () => {
    open().add(READING);
    expect(open(SOURCE, HOUR - 1).find(CAR)).to.deep.equal(READING);
    expect(open(SOURCE, HOUR).find(CAR)).to.equal(undefined);
  });

  it("forgets what another command read", () => {
    open().add(READING);
    expect(open({ ...SOURCE, command: "another" }).find(CAR)).to.equal(undefined);
  });

  it("tells of how many devices it knows, and since when", () => {
    const roof = { businessId: "acme", deviceId: "roof", reported: {} };
    open(SOURCE, 5).add(READING);
    open(SOURCE, 3).add(roof);
    expect(open(SOURCE, 9).taken([CAR, roof, { ...CAR, deviceId: "bus" }])).to.deep.equal({ count: 2, since: 3 });
    expect(open(SOURCE, 9).taken([{ ...CAR, deviceId: "bus" }])).to.equal(undefined);
  });

  it("that cannot be written is named", () => {
    mkdirSync(file());
    expect(() => open()).to.throw(/adopt\.jsonl cannot be written: E/);
  });

  it("forgets what another service said, or what was read by other names", () => {
    open().add(READING);
    expect(open({ ...SOURCE, baseUrl: "https://other.example.com" }).find(CAR)).to.equal(undefined);
    expect(readFileSync(file(), "utf8")).to.not.contain("60000");
  });

  it("reads on after a line that a kill cut short", () => {
    open().add(READING);
    appendFileSync(file(), '{"time":0,"businessId":"ac');
    const roof = { businessId: "acme", deviceId: "roof", reported: {} };
    open().add(roof);
    const journal = open();
    expect(journal.find(CAR)).to.deep.equal(READING);
    expect(journal.find(roof)).to.deep.equal(roof);
  });

  it("takes a file that is no journal for none", () => {
    open();
    writeFileSync(file(), "\u0000 no journal");
    expect(open().find(CAR)).to.equal(undefined);
  });

  it("is gone when it is not needed any more", () => {
    const journal = open();
    journal.add(READING);
    journal.remove();
    expect(existsSync(file())).to.equal(false);
  });
});
