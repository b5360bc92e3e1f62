import { expect } from "chai";
import type { SettingEvent } from "../../../../provider/ledger/events";
import type { Baselines } from "../../../../provider/ledger/logs";
import { Store } from "../../../../provider/ledger/store";
import { readState } from "../../../../provider/lifecycle/device/apply";
import {
  asRestored,
  knownBaseline,
  planRelease,
  releasedSettings,
  releaseUnrestored,
  showBaselines,
  withBaselines,
} from "../../../../provider/lifecycle/device/baselines";
import type { Known, Records } from "../../../../provider/lifecycle/device/record";
import { type Message, textOf } from "../../../../provider/messages/message";
import type { Values } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { expectFacts } from "../../../support/facts";
import { CAR, callOf, claimed, FakeService, logsWith, ownerOf, writerOf } from "../../../support/fakes";
import { verified } from "../../../support/records";

/** The records of a car that leaves the state, with these baselines. */
function recordsWith(baseline: Values): Records {
  return verified({ maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" }, baseline);
}

/** The messages about baselines that leave the state. */
async function reported(settings: Records, keys?: readonly string[], store = new Store()): Promise<string[]> {
  const messages: Message[] = [];
  const info = async (message: Message) => void messages.push(message);
  const releasing = { operation: "delete", store, info, warn: info, ...writerOf() } as const;
  await releaseUnrestored(releasing, { ...CAR, settings }, keys);
  expect(messages.filter(({ code }) => code !== "unmanaged")).to.deep.equal([]);
  return messages.map((message) => textOf(message));
}

/** A journal with these events, and the settings that it was told of, with their resource. */
function journalWith(events: ReturnType<Baselines["eventsOf"]> = []) {
  const left: unknown[] = [];
  const journal = logsWith({
    release: async (_, { deviceId }, settings, { urn }) => {
      left.push({ deviceId, settings, urn });
      return "/journal";
    },
    eventsOf: () => events,
  });
  return { store: new Store({ journal: () => journal }), left };
}

describe("the settings that a resource gives up", () => {
  it("are in the journal, for the resource, if it is known", async () => {
    const { store, left } = journalWith();
    claimed(store, CAR, {}, ownerOf("urn:any"));
    const settings = verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 });
    const gone = [{ key: "maxCapacity", old: 60_000, new: 77_000 }];
    for (const urn of ["urn:car", undefined]) {
      await releaseUnrestored(callOf(vehicle, new FakeService(), { store, urn }), { ...CAR, settings });
      expect(left.splice(0)).to.deep.equal([{ deviceId: CAR.deviceId, settings: gone, urn }]);
    }
    await releaseUnrestored(callOf(vehicle, new FakeService(), { store }), { ...CAR, settings: {} });
    expect(left).to.deep.equal([]);
  });

  it("are those that have a value of ours, with all that it can be, and the one before", () => {
    const sent = [61_000, 62_000];
    expect(
      releasedSettings({
        maxCapacity: { status: "uncertain", value: 62_000, sent, baseline: 60_000 },
        maxChargePower: { status: "adjusted", value: 11_000, reported: 11_040 },
        policy: { status: "verified", value: "CHARGE BY", baseline: "CHARGE BY" },
        tilt: { status: "unmanaged", reported: 30 },
      }),
    ).to.deep.equal([
      ...sent.map((own) => ({ key: "maxCapacity", old: 60_000, new: own })),
      ...[11_000, 11_040].map((own) => ({ key: "maxChargePower", old: undefined, new: own })),
    ]);
    const [policy, ...others] = releasedSettings(recordsWith({}), ["policy"]);
    expect(policy).to.include({ key: "policy", new: "CHARGE BY" });
    expect(others).to.deep.equal([]);
  });
});

describe("a baseline that leaves the state without being written back", () => {
  it("is reported with its value, in one message for a device", async () => {
    const [text, ...others] = await reported(recordsWith({ maxCapacity: 60_000, maxChargePower: 3000 }));
    expect(others).to.deep.equal([]);
    expect(text)
      .to.contain("maxCapacity and maxChargePower")
      .and.contain("maxCapacity was 60 kWh, maxChargePower 3 kW");
  });

  it("is not reported if it is what the device was set to", async () => {
    expect(await reported(recordsWith({ policy: "CHARGE BY" }))).to.deep.equal([]);
    expect(await reported(recordsWith({}))).to.deep.equal([]);
    const [text] = await reported(recordsWith({ maxCapacity: 60_000, policy: "CHARGE BY" }));
    expect(text).to.not.contain("policy");
  });

  it("is reported with the file that keeps it, and with none if no file has its line", async () => {
    const { store } = journalWith();
    const [kept] = await reported(recordsWith({ maxCapacity: 60_000 }), undefined, store);
    expect(kept).to.contain("/journal");
    // The device had the declared value, somebody else set another one, and the program accepted it.
    const accepted = { status: "verified", value: 31_000, ours: 77_000, baseline: 77_000 } as const;
    const settings = { ...recordsWith({ maxChargePower: 3000 }), maxCapacity: accepted };
    const [text] = await reported(settings, undefined, store);
    expect(text).to.contain("maxCapacity was 77 kWh").and.not.contain("/journal");
    expect((await reported(recordsWith({ maxCapacity: 60_000 }))).join()).to.not.contain("also in");
  });

  it("is not reported of a setting that stays, or that was never managed", async () => {
    const settings = recordsWith({ maxCapacity: 60_000, maxChargePower: 3000 });
    const [text] = await reported(settings, ["maxChargePower"]);
    expect(text).to.not.contain("maxCapacity");
    expect(await reported({ maxCapacity: { status: "unmanaged", reported: 60_000 } })).to.deep.equal([]);
    expect(await reported(settings, ["policy", "tilt"])).to.deep.equal([]);
  });
});

describe("the baselines of devices before their first update", () => {
  it("are shown if no file keeps them that the next run shows", async () => {
    const shown: Message[] = [];
    const info = async (message: Message) => void shown.push(message);
    const call = { store: new Store(), info, warn: info, urn: "urn:home" };
    const planned = {
      device: CAR,
      changes: [{ key: "maxCapacity", old: 60_000, new: 77_000 }],
    };
    await showBaselines(call, [planned]);
    await showBaselines(call, [{ ...planned, label: "vehicle/a" }]);
    expect(shown.map(({ code }) => code)).to.deep.equal(["baselines", "baselines"]);
    expectFacts(textOf(shown[0] as Message), ["car", "maxCapacity was 60 kWh"]);
    expect(textOf(shown[1] as Message)).to.include("vehicle/a: maxCapacity");
    shown.length = 0;
    const written = { ...call, store: journalWith().store };
    await showBaselines(written, [planned]);
    expect(shown).to.deep.equal([]);
  });
});

describe("the state of a device that another resource of the run restored", () => {
  const restored = { maxCapacity: 60_000, maxChargePower: 3000, policy: "CHARGE BY" };

  for (const [what, before, after] of [
    [
      "has the written values in place of ours, as drift",
      { maxCapacity: { status: "verified", value: 77_000, baseline: 50_000 } },
      { maxCapacity: { status: "drifted", value: 60_000, ours: 77_000, baseline: 50_000 } },
    ],
    ["keeps a value that was written", { policy: { status: "verified", value: "CHARGE BY" } }, undefined],
    ["keeps a setting that is not managed", { maxCapacity: { status: "unmanaged", reported: 50_000 } }, undefined],
    [
      "keeps an update of unknown outcome",
      { maxCapacity: { status: "uncertain", value: 77_000, sent: [77_000] } },
      undefined,
    ],
    ["has no setting that it does not know", {}, undefined],
  ] as [string, Records, Records | undefined][]) {
    it(what, async () => {
      const store = new Store();
      await store.restored(CAR, restored, writerOf());
      expect(asRestored(store, { ...CAR, settings: before }).settings).to.deep.equal(after ?? before);
      expect(asRestored(new Store(), { ...CAR, settings: before }).settings).to.deep.equal(before);
    });
  }
});

describe("the baseline of a setting that several resources declared", () => {
  const record = (baseline?: number): Known => {
    return { status: "verified", value: 77_000, ...(baseline !== undefined && { baseline }) };
  };

  /** The baseline of a record, after other resources of the run gave up the setting. */
  async function recordAfter(baseline: number | undefined, ...left: readonly (readonly [number, number?])[]) {
    const store = new Store();
    store.note(
      "released",
      CAR,
      left.map(([ours, before]) => ({ key: "maxCapacity", old: before, new: ours })),
    );
    const settings = { maxCapacity: record(baseline) };
    const { maxCapacity } = (await withBaselines(store, { ...CAR, settings })).settings;
    return maxCapacity;
  }

  for (const [what, baseline, left, first] of [
    ["is the baseline, if it is nobody's", 60_000, [[78_000, 50_000]], 60_000],
    ["is the value from before the resource whose value is the baseline", 78_000, [[78_000, 50_000]], 50_000],
    ["is not known if that was not reported", 78_000, [[78_000]], undefined],
    ["is not known without a baseline", undefined, [[78_000, 50_000]], undefined],
    ["stays if the other resource adopted the device later, from ours", 78_000, [[78_000, 77_000]], 78_000],
    [
      "is our value if a resource before had it too",
      78_000,
      [
        [77_000, 77_000],
        [78_000, 77_000],
      ],
      77_000,
    ],
  ] as [string, number | undefined, [number, number?][], number | undefined][]) {
    it(what, async () => expect(await recordAfter(baseline, ...left)).to.deep.equal(record(first)));
  }

  describe("that somebody else has set, and that one of them keeps", () => {
    const kept: Known = { status: "kept", value: 77_000, reported: 70_000, baseline: 60_000 };
    const adopted = (declared: number, found: number, onDrift: "keep" | "repair") => {
      const store = new Store();
      planRelease(store, { ...CAR, settings: { maxCapacity: kept } });
      const call = callOf(vehicle, new FakeService(), { store });
      return readState(
        call.store,
        undefined,
        { ...CAR, onDrift, values: { maxCapacity: declared } },
        { maxCapacity: found },
      ).settings;
    };

    it("stays kept by the next resource that declares the same", () => {
      expect(adopted(77_000, 70_000, "keep")).to.deep.equal({ maxCapacity: kept });
    });

    it("is overwritten by a resource that declares another value, or repairs drift, and if it is not there", () => {
      for (const settings of [
        adopted(78_000, 70_000, "keep"),
        adopted(77_000, 70_000, "repair"),
        adopted(77_000, 71_000, "keep"),
      ])
        expect(settings.maxCapacity).to.have.property("status", "verified");
    });
  });

  it("is the value before the first update of a killed run, also if the service has rounded what it sent", () => {
    const planned = { key: "maxCapacity", event: "planned", old: 60_000, new: 77_000 } as const;
    const foundBy = (events: readonly SettingEvent[], reported: number) => {
      const journal = logsWith({ eventsOf: () => events });
      return knownBaseline(new Store({ journal: () => journal }), CAR, "maxCapacity", reported);
    };
    expect(foundBy([planned], 77_100)).to.equal(60_000);
    expect(foundBy([planned], 79_000)).to.equal(79_000);
    expect(foundBy([planned, { ...planned, event: "refused" }], 77_100)).to.equal(77_100);
  });

  it("is not known to a resource that adopts the device if it was not reported", async () => {
    const store = new Store();
    store.note("released", CAR, [{ key: "maxCapacity", new: 77_000 }]);
    const call = callOf(vehicle, new FakeService(), { store });
    const { settings } = await readState(
      call.store,
      undefined,
      { ...CAR, values: { maxCapacity: 77_000 } },
      { maxCapacity: 77_000 },
    );
    expect(settings).to.deep.equal({ maxCapacity: record() });
  });
});
