import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { FileJournal, LoggedJournal } from "../../../provider/ledger/journal";
import { Ledger } from "../../../provider/ledger/ledger";
import { ledgerLine } from "../../../provider/ledger/ledgerLine";
import { baselines } from "../../../provider/ledger/messages";
import { originOf } from "../../../provider/ledger/origin";
import type { Values } from "../../../provider/settings/setting";
import { failureOf } from "../../support/failure";
import { CAR, refused } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

const URN = "urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/solar-charging:SiteSettings::home";
const origin = originOf({ SOLAR_CHARGING_RUN_ID: "one" });
const BEFORE = { maxCapacity: 60_000, policy: "CHARGE BY" };
const SENT = { maxCapacity: 77_000, policy: "CHARGE BY FORECAST" };

describe("FileJournal", () => {
  const path = temporaryFolder();
  const file = () => path("journal");
  /** Each run is a process of its own. */
  const run = () => new FileJournal(file(), origin);
  const plan = async (baseline: Values, sent: Values) => await run().record([{ device: CAR, baseline, sent }], URN);
  const write = async (sent: Values, operation = "update", error?: Error) => {
    const ledger = new Ledger(file(), origin, async () => {});
    const recording = ledger.begin({ operation, device: CAR, urn: URN, urnOfRun: URN, sent, old: {} });
    if (error) return await recording.failed(error);
    recording.accepted();
    await recording.end();
  };

  it("writes a line of the ledger for each device, in one piece, that is no change yet", async () => {
    const roof = { businessId: "acme", deviceId: 'a "roof" \\' };
    await run().record(
      [
        { device: CAR, baseline: BEFORE, sent: SENT },
        { device: roof, baseline: {}, sent: { tilt: 35 } },
      ],
      URN,
    );
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    const parsed = lines.map((line) => ledgerLine.parse(JSON.parse(line)));
    expect(parsed.map(({ deviceId, outcome, run: id, urn }) => [deviceId, outcome, id, urn])).to.deep.equal([
      [CAR.deviceId, "planned", "one", URN],
      [roof.deviceId, "planned", "one", URN],
    ]);
    expect(run().recall(roof, { tilt: 35 })).to.deep.equal({});
  });

  it("knows nothing of a device that it has no line of", async () => {
    expect(run().recall(CAR, SENT)).to.equal(undefined);
    expect(existsSync(file())).to.equal(false);
    await plan(BEFORE, SENT);
    expect(run().recall({ ...CAR, businessId: "other" }, SENT)).to.equal(undefined);
  });

  it("gives what a key was before, only of keys that have what was sent", async () => {
    await plan(BEFORE, SENT);
    expect(run().recall(CAR, { ...SENT, maxChargePower: 11_000 })).to.deep.equal({ ...BEFORE, maxChargePower: 11_000 });
    expect(run().recall(CAR, { ...SENT, maxCapacity: 50_000 })).to.deep.equal({ ...BEFORE, maxCapacity: 50_000 });
    expect(run().recall(CAR, {})).to.deep.equal({});
  });

  it("knows the value before the first of several runs that were killed", async () => {
    await plan(BEFORE, { maxCapacity: 77_000 });
    const { maxCapacity } = run().recall(CAR, { maxCapacity: 77_000 }) as Values;
    await plan({ maxCapacity: maxCapacity as number }, { maxCapacity: 79_000 });
    for (const value of [77_000, 79_000]) {
      expect(run().recall(CAR, { maxCapacity: value }), String(value)).to.deep.equal({ maxCapacity: 60_000 });
    }
  });

  it("takes a value that somebody set between two runs for the one before", async () => {
    await plan(BEFORE, { maxCapacity: 77_000 });
    await plan({ maxCapacity: 50_000 }, { maxCapacity: 79_000 });
    expect(run().recall(CAR, { maxCapacity: 79_000 })).to.deep.equal({ maxCapacity: 50_000 });
    expect(run().recall(CAR, { maxCapacity: 77_000 })).to.deep.equal({ maxCapacity: 77_000 });
  });

  it("still knows it after the update of that run, however it ended", async () => {
    await plan(BEFORE, SENT);
    await write(SENT, "create");
    await write({ maxCapacity: 90_000 }, "update", refused(422));
    expect(run().recall(CAR, SENT)).to.deep.equal(BEFORE);
  });

  it("forgets a key once another value was written, as on delete: the same value is somebody else's then", async () => {
    await plan(BEFORE, SENT);
    await write(SENT, "create");
    await write({ maxCapacity: 60_000 }, "delete");
    expect(run().recall(CAR, SENT)).to.deep.equal({ ...SENT, policy: BEFORE.policy });
    await write({ policy: BEFORE.policy }, "delete");
    expect(run().recall(CAR, SENT)).to.equal(undefined);
  });

  it("passes over a line that a kill cut short, and those of others", async () => {
    await plan(BEFORE, SENT);
    const [line = ""] = readFileSync(file(), "utf8").split("\n");
    appendFileSync(file(), `{"businessId":"acme"}\n${line.replaceAll("60000", "1").slice(0, -20)}`);
    expect(run().recall(CAR, SENT)).to.deep.equal(BEFORE);
    await plan({ maxCapacity: 2 }, { maxCapacity: 77_000 });
    expect(run().recall(CAR, SENT)).to.deep.equal({ ...BEFORE, maxCapacity: 2 });
  });

  it("refuses the update if it cannot be written", async () => {
    const journal = new FileJournal(path("no/journal"), origin);
    const error = await failureOf(journal.record([{ device: CAR, baseline: BEFORE, sent: SENT }], URN));
    expect(error.message).to.match(/^nothing is sent, because .*no\/journal, .* \(ENOENT\)/);
  });
});

describe("LoggedJournal", () => {
  it("logs what is sent over at a site, by device, on the resource", async () => {
    const shown: unknown[] = [];
    const journal = new LoggedJournal(async (...message) => void shown.push(message));
    const entry = { device: CAR, baseline: { ...BEFORE, tilt: 1 }, sent: SENT };
    await journal.record([{ ...entry, label: "vehicle/van" }, entry], URN);
    await journal.record([entry], URN);
    const before = { "vehicle/van": BEFORE };
    expect(shown).to.deep.equal([[baselines(before), URN]]);
    expect(journal.recall()).to.equal(undefined);
  });
});
