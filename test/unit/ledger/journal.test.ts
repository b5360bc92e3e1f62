import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { openLines } from "../../../cli/fleet/journal";
import { appliedIn, baselinesByValue } from "../../../provider/ledger/events";
import { changesOf, eventsIn, Journal } from "../../../provider/ledger/journal";
import { ledgerLine } from "../../../provider/ledger/ledgerLine";
import { Logs } from "../../../provider/ledger/logs";
import { originOf } from "../../../provider/ledger/origin";
import { type Message, MessageError, textOf } from "../../../provider/messages/message";
import type { DeviceRef } from "../../../provider/service/device";
import type { Values } from "../../../provider/settings/setting";
import { CAR, refused, writerOf } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

const URN = "urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/solar-charging:SiteSettings::home";
const origin = originOf({ SOLAR_CHARGING_RUN_ID: "one" });
const BEFORE = { maxCapacity: 60_000, policy: "CHARGE BY" };
const SENT = { maxCapacity: 77_000, policy: "CHARGE BY FORECAST" };

describe("Journal", () => {
  const path = temporaryFolder();
  const file = () => path("journal");
  /** Each run is like a process of its own. */
  const warned: Message[] = [];
  const run = (at = origin, name = file()) => new Journal(name, at, async (message) => void warned.push(message));
  const logs = (at = origin, name = file()) => new Logs({ journal: run(at, name) });
  /** The values from before ours, of devices with these values. */
  const recall = (device: DeviceRef, values: Values, journal = run()): Values =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => {
        const events = journal.linesOf(device).flatMap(eventsIn);
        const known = baselinesByValue(appliedIn(events.filter((event) => event.key === key)));
        const before = known.has(value) ? known.get(value) : value;
        return before === undefined ? [] : [[key, before]];
      }),
    );
  const plan = async (baseline: Values, sent: Values) =>
    logs().plan([{ device: CAR, changes: changesOf(sent, baseline) }], URN);
  const write = async (sent: Values, operation = "update", error?: Error) => {
    const recording = run().begin({ operation, device: CAR, urn: URN, changes: changesOf(sent) });
    if (error) return await recording.failed(error);
    recording.accepted();
    await recording.end();
  };

  it("is in order of time with other files, whichever of them a run reads first", () => {
    const line = (time: string, value: number) => {
      const changes = [{ key: "maxCapacity", old: 1000, new: value }];
      return `${JSON.stringify({ time, run: "one", by: "ann", operation: "create", outcome: "planned", ...CAR, changes })}\n`;
    };
    appendFileSync(path("ledger"), line("2026-01-01T00:00:00Z", 60_000) + line("2026-01-03T00:00:00Z", 80_000));
    appendFileSync(path("earlier"), line("2026-01-02T00:00:00Z", 70_000));
    const all = new Logs({ ledger: run(origin, path("ledger")), earlier: [run(origin, path("earlier"))] });
    expect(all.eventsOf(CAR).map((event) => event.new)).to.deep.equal([60_000, 70_000, 80_000]);
  });

  it("refuses a device in the place of its file, whose lines would never end", () => {
    expect(() => run(origin, "/dev/zero").linesOf(CAR)).to.throw(MessageError, "/dev/zero");
  });

  it("writes a line of the ledger for each device, in one piece, that is no change yet", async () => {
    const roof = { businessId: "acme", deviceId: 'a "roof" \\' };
    logs().plan(
      [
        { device: CAR, changes: changesOf(SENT, BEFORE) },
        { device: roof, changes: changesOf({ tilt: 35 }, {}) },
      ],
      URN,
    );
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    const parsed = lines.map((line) => ledgerLine.parse(JSON.parse(line)));
    expect(parsed.map(({ deviceId, outcome, run: id, urn }) => [deviceId, outcome, id, urn])).to.deep.equal([
      [CAR.deviceId, "planned", "one", URN],
      [roof.deviceId, "planned", "one", URN],
    ]);
    expect(recall(roof, { tilt: 35 })).to.deep.equal({});
  });

  it("knows nothing of a device that it has no line of", async () => {
    expect(recall(CAR, SENT)).to.deep.equal(SENT);
    expect(existsSync(file())).to.equal(false);
    await plan(BEFORE, SENT);
    expect(recall({ ...CAR, businessId: "other" }, SENT)).to.deep.equal(SENT);
  });

  it("gives what a key was before, only of keys that have what was sent", async () => {
    await plan(BEFORE, SENT);
    expect(recall(CAR, { ...SENT, maxChargePower: 11_000 })).to.deep.equal({ ...BEFORE, maxChargePower: 11_000 });
    expect(recall(CAR, { ...SENT, maxCapacity: 50_000 })).to.deep.equal({ ...BEFORE, maxCapacity: 50_000 });
    expect(recall(CAR, {})).to.deep.equal({});
  });

  it("knows the value before the first of several runs that were killed", async () => {
    await plan(BEFORE, { maxCapacity: 77_000 });
    const { maxCapacity } = recall(CAR, { maxCapacity: 77_000 });
    await plan({ maxCapacity: maxCapacity as number }, { maxCapacity: 79_000 });
    for (const value of [77_000, 79_000]) {
      expect(recall(CAR, { maxCapacity: value }), String(value)).to.deep.equal({ maxCapacity: 60_000 });
    }
  });

  it("counts a value that somebody set between two runs as the baseline", async () => {
    await plan(BEFORE, { maxCapacity: 77_000 });
    await plan({ maxCapacity: 50_000 }, { maxCapacity: 79_000 });
    expect(recall(CAR, { maxCapacity: 79_000 })).to.deep.equal({ maxCapacity: 50_000 });
    expect(recall(CAR, { maxCapacity: 77_000 })).to.deep.equal({ maxCapacity: 77_000 });
  });

  it("still knows it after the update of that run, however it ended", async () => {
    await plan(BEFORE, SENT);
    await write(SENT, "create");
    await write({ maxCapacity: 90_000 }, "update", refused(422));
    expect(recall(CAR, SENT)).to.deep.equal(BEFORE);
  });

  it("forgets a key after another value was written, for example by a delete: the same value is then somebody else's", async () => {
    await plan(BEFORE, SENT);
    await write(SENT, "create");
    await write({ maxCapacity: 60_000 }, "delete");
    expect(recall(CAR, SENT)).to.deep.equal({ ...SENT, policy: BEFORE.policy });
    await write({ policy: BEFORE.policy }, "delete");
    expect(recall(CAR, SENT)).to.deep.equal(SENT);
  });

  it("passes over a line that a kill cut short, and those of others", async () => {
    await plan(BEFORE, SENT);
    const [line = ""] = readFileSync(file(), "utf8").split("\n");
    appendFileSync(file(), `{"businessId":"acme"}\n${line.replaceAll("60000", "50000").slice(0, -20)}`);
    expect(recall(CAR, SENT)).to.deep.equal(BEFORE);
    await plan({ maxCapacity: 2000 }, { maxCapacity: 77_000 });
    expect(recall(CAR, SENT)).to.deep.equal({ ...BEFORE, maxCapacity: 2000 });
  });

  it("knows every value that was sent since, and the one before the first", async () => {
    await plan(BEFORE, { maxCapacity: 77_000 });
    await write({ maxCapacity: 79_000 }, "update");
    expect(recall(CAR, { maxCapacity: 79_000 })).to.deep.equal({ maxCapacity: 60_000 });
  });

  it("knows what a setting was that a resource stopped managing, and mends what another one wrote down before", async () => {
    await plan({ maxCapacity: 77_000 }, { maxCapacity: 80_000 });
    await logs().release(
      "unmanaged",
      CAR,
      [
        { key: "maxCapacity", old: 60_000, new: 77_000 },
        { key: "maxCapacity", old: 60_000, new: 76_000 },
      ],
      writerOf(URN),
    );
    for (const value of [76_000, 77_000, 80_000]) {
      expect(recall(CAR, { maxCapacity: value }), String(value)).to.deep.equal({ maxCapacity: 60_000 });
    }
    expect(openLines(file(), () => false, { isWhole: true })).to.have.lengthOf(3);
    const [line = ""] = readFileSync(file(), "utf8")
      .split("\n")
      .filter((one) => one.includes('"unmanaged"'));
    expect(ledgerLine.parse(JSON.parse(line)).changes).to.deep.equal([
      { key: "maxCapacity", old: 60_000, new: 77_000 },
      { key: "maxCapacity", old: 60_000, new: 76_000 },
    ]);
  });

  it("does not take the doctor's update for ours: it sends a device somebody else's value again", async () => {
    await plan({ maxCapacity: 60_000 }, { maxCapacity: 77_000 });
    const released = [{ key: "maxCapacity", old: 60_000, new: 77_000 }];
    expect(await logs().release("unmanaged", CAR, released, writerOf(URN))).to.equal(file());
    await write({ maxCapacity: 70_000 }, "identity");
    expect(recall(CAR, { maxCapacity: 70_000 })).to.deep.equal({ maxCapacity: 70_000 });
  });

  it("forgets what a delete has restored, in a ledger by its line, in a file of its own by another", async () => {
    logs().plan([{ device: CAR, changes: changesOf(SENT, BEFORE) }], URN);
    const restored = changesOf(BEFORE);
    await new Logs({ ledger: run() }).release("accepted", CAR, restored, writerOf(URN));
    expect(recall(CAR, SENT)).to.deep.equal(BEFORE);
    await logs().release("accepted", CAR, restored, writerOf(URN));
    expect(recall(CAR, SENT)).to.deep.equal(SENT);
    expect(openLines(file(), () => false, { isWhole: true })).to.deep.equal([]);
  });

  it("believes no line of another service, nor of a value that the setting cannot have", async () => {
    const at = (service: string) => originOf({}, service);
    logs(at("https://north")).plan([{ device: CAR, changes: changesOf(SENT, BEFORE) }], URN);
    expect(recall(CAR, SENT, run(at("https://south")))).to.deep.equal(SENT);
    expect(recall(CAR, SENT, run(at("https://north")))).to.deep.equal(BEFORE);
    const line = (change: object) =>
      JSON.stringify({ ...JSON.parse(readFileSync(file(), "utf8").split("\n")[0] ?? ""), ...{ changes: [change] } });
    for (const change of [
      { key: "maxCapacity", old: "much", new: 77_000 },
      { key: "maxCapacity", old: 1000, new: 999_999_999 },
      { key: "__proto__", old: 1000, new: 77_000 },
      { key: "policy", old: "x".repeat(300), new: "CHARGE BY FORECAST" },
    ]) {
      appendFileSync(file(), `${line(change)}\n`);
    }
    expect(recall(CAR, SENT, run(at("https://north")))).to.deep.equal(BEFORE);
  });

  it("keeps a value from before that no program may declare", async () => {
    await plan({ maxCapacity: 999_999_999, policy: "none" }, SENT);
    expect(
      run()
        .linesOf(CAR)
        .flatMap(eventsIn)
        .map(({ old }) => old),
    ).to.deep.equal([999_999_999, "none"]);
  });

  it("reads lines across the borders of its chunks, but no line that is too long", async () => {
    await plan(BEFORE, SENT);
    appendFileSync(file(), `${"x".repeat(3_000_000)}\n`);
    for (let index = 0; index < 8000; index++) {
      logs().plan([{ device: { ...CAR, deviceId: `car-${index}` }, changes: changesOf(SENT, BEFORE) }], URN);
    }
    const journal = run();
    for (const deviceId of ["car", "car-0", "car-3999", "car-7999"]) {
      expect(recall({ ...CAR, deviceId }, SENT, journal), deviceId).to.deep.equal(BEFORE);
    }
  });

  it("fails if it is there and cannot be read, because our own value would count as a baseline", () => {
    const journal = new Journal(path("."), origin, async () => {});
    expect(() => journal.linesOf(CAR)).to.throw(MessageError, journal.path);
  });

  it("warns with the line if a baseline that leaves cannot be written", async () => {
    warned.length = 0;
    const journal = logs(origin, path("no/journal"));
    const released = [{ key: "maxCapacity", old: 60_000, new: 77_000 }];
    expect(await journal.release("unmanaged", CAR, released, writerOf(URN))).to.equal(undefined);
    expect(warned.map(({ code }) => code)).to.deep.equal(["ledgerLineMissing"]);
    expect(textOf(warned[0] as Message))
      .to.contain('"old":60000')
      .and.not.contain("[secret]");
  });

  it("shows no secret value in that line", async () => {
    warned.length = 0;
    const journal = logs(origin, path("no/journal"));
    const released = ["maxCapacity", "maxChargePower"].map((key) => ({ key, old: 6666, new: 7777 }));
    await journal.release("unmanaged", CAR, released, { urn: URN, isSecret: (key) => key === "maxCapacity" });
    const text = textOf(warned[0] as Message);
    expect(text).to.contain('{"key":"maxCapacity","old":"[secret]","new":"[secret]","secret":true}');
    expect(text).to.contain('{"key":"maxChargePower","old":6666,"new":7777}').and.contain("in place of [secret]");
  });

  it("has that line before its next one, once it can be written", async () => {
    const journal = logs(origin, path("later/journal"));
    await journal.release("unmanaged", CAR, [{ key: "maxCapacity", old: 60_000, new: 77_000 }], writerOf(URN));
    mkdirSync(path("later"));
    journal.plan([{ device: CAR, changes: changesOf({ tilt: 35 }, {}) }], URN);
    const lines = readFileSync(path("later/journal"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => ledgerLine.parse(JSON.parse(line)).outcome)).to.deep.equal(["unmanaged", "planned"]);
  });

  it("refuses the update if it cannot be written", () => {
    const journal = logs(origin, path("no/journal"));
    const plan = () => journal.plan([{ device: CAR, changes: changesOf(SENT, BEFORE) }], URN);
    expect(plan).to.throw(/no\/journal .*\(ENOENT\)/);
  });
});
