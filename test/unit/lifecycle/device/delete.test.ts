import { expect } from "chai";
import { baselinesByValue } from "../../../../provider/ledger/events";
import { RunFile, writeClaims } from "../../../../provider/ledger/runFile";
import { Store } from "../../../../provider/ledger/store";
import { remove } from "../../../../provider/lifecycle/device/delete";
import type { Known, Records } from "../../../../provider/lifecycle/device/record";
import { toOutputs } from "../../../../provider/lifecycle/device/state";
import type { Device } from "../../../../provider/service/device";
import type { OnDelete } from "../../../../provider/settings/declaration";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import { fromDevice } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { showsBaseline } from "../../../support/baselines";
import {
  CAR,
  callOf,
  claimed,
  FakeService,
  fleet,
  logsWith,
  ownerOf,
  ROOF,
  refused,
  uncertain,
} from "../../../support/fakes";
import { temporaryFolder } from "../../../support/folder";
import { verified } from "../../../support/records";
import { DeviceStack } from "../../../support/sites";

const OURS = { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" };
const VALUES = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const BASELINE = { maxCapacity: 60_000, maxChargePower: 3000, policy: "CHARGE BY" };
const BEFORE = { max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
const DEFAULTS = { max_capacity: 80_000, max_charge_power: 7200, policy: "CHARGE BY" };
const ALL = verified(VALUES, BASELINE);

interface Case {
  readonly onDelete?: OnDelete;
  /** Records that differ from those of a car whose settings were all accepted. */
  readonly changes?: Records;
  readonly settings?: Records;
  /** The true fields of the car. */
  readonly live?: Properties;
  readonly service?: FakeService;
  readonly store?: Store;
}

async function deleted({ onDelete = "restore", changes = {}, settings = { ...ALL, ...changes }, ...given }: Case) {
  const { live = OURS, service = fleet(live), store = new Store() } = given;
  const car = new DeviceStack(vehicle, service);
  car.outputs = toOutputs({ ...CAR, onDelete, settings });
  const outcome = await car.destroy(car.run({ store }));
  return { ...outcome, car, sent: service.sent[0] ?? {}, methods: outcome.requests.map((one) => one.split(" ")[0]) };
}

/** The record of a capacity whose last update the service has not shown yet. */
const PENDING: Known = { status: "pending", value: 77_000, baseline: 60_000, reported: 60_000 };

/** The record of a capacity that somebody else has set to 50 kWh. */
const DRIFTED: Known = { status: "drifted", value: 50_000, ours: 77_000, baseline: 60_000 };

const UNCERTAIN: Known = { status: "uncertain", value: 79_000, ours: 78_000, sent: [78_500, 79_000], baseline: 60_000 };
const UNMANAGED: Known = { status: "unmanaged", reported: "CHARGE BY" };
const { max_capacity: _, ...unshown } = OURS;
const { max_capacity: __, ...withoutCapacity } = BEFORE;

describe("delete of a device", () => {
  const path = temporaryFolder();

  it("restores all baselines with one read and one update, and shows them without a warning", async () => {
    const { methods, sent, codes, infos } = await deleted({});
    expect({ methods, sent, codes }).to.deep.equal({ methods: ["GET", "PATCH"], sent: BEFORE, codes: [] });
    for (const value of ["60 kWh", "3 kW", "CHARGE BY"]) expect(infos).to.contain(value);
  });

  for (const baseline of [-5, 1e15]) {
    it(`keeps a baseline of ${baseline}, which no program may declare, prints it, and never sends it`, async () => {
      const car = new DeviceStack(vehicle, fleet({ ...OURS, max_capacity: baseline }));
      await car.up({ maxCapacity: 77_000, onDelete: "restore" });
      expect(car.settings.maxCapacity).to.include({ baseline });
      const { codes, infos, requests } = await car.destroy();
      expect(codes).to.deep.equal(["baselineOutOfRange"]);
      expect(showsBaseline(infos, "maxCapacity", baseline)).to.equal(true);
      expect(requests.filter((request) => request.startsWith("PATCH"))).to.deep.equal([]);
    });
  }

  const elsewhere = ["changedElsewhere"];
  for (const [what, given, sent, codes] of [
    [
      "of the declared keys alone",
      { settings: { maxCapacity: ALL.maxCapacity, policy: UNMANAGED } },
      { max_capacity: 60_000 },
      [],
    ],
    ["but what somebody else has set since", { live: { ...OURS, max_capacity: 50_000 } }, withoutCapacity, elsewhere],
    [
      "but what a refresh took over from somebody else",
      { changes: { maxCapacity: DRIFTED }, live: { ...OURS, max_capacity: 50_000 } },
      withoutCapacity,
      elsewhere,
    ],
    ["of a key that drifted, once it is back at our value", { changes: { maxCapacity: DRIFTED } }, BEFORE, []],
    ["but what is not reported any more", { live: unshown }, withoutCapacity, elsewhere],
    [
      "but what somebody else has set since, though no read has shown our update",
      { changes: { maxCapacity: PENDING }, live: { ...OURS, max_capacity: 50_000 } },
      withoutCapacity,
      elsewhere,
    ],
    [
      "but what was not reported before",
      { settings: verified(VALUES, { policy: "CHARGE BY" }) },
      { policy: "CHARGE BY" },
      ["baselineUnknown"],
    ],
    ["with nothing to send, where all is as it was", { live: BEFORE }, {}, []],
    [
      "with nothing to send, where the declared values were there before",
      { settings: verified(VALUES, VALUES) },
      {},
      [],
    ],
    ...[78_000, 78_500, 79_000].map(
      (max_capacity) =>
        [
          `over ${max_capacity}, which updates of unknown outcome can have left`,
          { changes: { maxCapacity: UNCERTAIN }, live: { ...OURS, max_capacity } },
          BEFORE,
          [],
        ] as const,
    ),
    ...(
      [
        PENDING,
        DRIFTED,
        { status: "uncertain", value: 77_000, sent: [77_000], baseline: 60_000 },
        { status: "notReported", value: 77_000, baseline: 60_000 },
        { ...PENDING, status: "adjusted", reported: 76_000 },
      ] as Known[]
    ).map(
      (maxCapacity) =>
        [
          `also what the cached read shows already, if the key is ${maxCapacity.status}: the cache may be behind`,
          { changes: { maxCapacity }, live: BEFORE },
          { max_capacity: 60_000 },
          [],
        ] as const,
    ),
  ] as [string, Case, Properties, string[]][]) {
    it(`restores baselines ${what}`, async () => {
      const found = await deleted(given);
      expect([found.sent, found.codes]).to.deep.equal([sent, codes]);
      expect(showsBaseline(found.infos, "maxCapacity", 60_000)).to.equal(codes === elsewhere);
    });
  }

  for (const [what, given, sent] of [
    ["of the declared keys", {}, DEFAULTS],
    ["of one declared key", { settings: verified({ maxCapacity: 77_000 }) }, { max_capacity: 80_000 }],
    [
      "that the cached read shows, after an update that it has not shown yet",
      { changes: { maxCapacity: PENDING }, live: DEFAULTS },
      { max_capacity: 80_000 },
    ],
    [
      "but for those that are there already",
      { live: { ...OURS, max_capacity: 80_000 } },
      { max_charge_power: 7200, policy: "CHARGE BY" },
    ],
  ] as [string, Case, Properties][]) {
    it(`resets to the documented defaults ${what}`, async () => {
      const found = await deleted({ onDelete: "reset", ...given });
      expect([found.sent, found.codes]).to.deep.equal([sent, []]);
    });
  }

  it("shows the baseline that a reset replaces, also if the program declared it", async () => {
    const { infos } = await deleted({
      onDelete: "reset",
      settings: verified({ maxCapacity: 60_000 }, { maxCapacity: 60_000 }),
    });
    expect(infos).to.contain("maxCapacity was 60 kWh");
  });

  it("shows with retain the baseline of a drifted setting, also if we declared the baseline", async () => {
    const drifted: Known = { status: "drifted", value: 65_000, ours: 60_000, baseline: 60_000 };
    expect((await deleted({ onDelete: "retain", settings: { maxCapacity: drifted } })).infos).to.contain("60 kWh");
  });

  for (const onDelete of ["retain", "restore"] as const) {
    it(`says with ${onDelete} what the next resource of the device cannot know`, async () => {
      const kept: Known = { status: "kept", value: 70_000, reported: 65_000, baseline: 60_000 };
      const settings = verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 });
      const codesOf = async (own: Known | undefined, store: Store) =>
        (await deleted({ onDelete, settings: own ? { maxCapacity: own } : settings, store })).codes;
      const store = () => {
        const one = new Store();
        claimed(one, CAR, { maxCapacity: 70_000 }, ownerOf());
        return one;
      };
      expect(await codesOf(undefined, store())).to.include("declaredNotSent");
      expect(await codesOf(kept, store())).not.to.include("keptOverwritten");
      const [sent, sentToo] = [store(), store()];
      for (const one of [sent, sentToo]) one.updated(CAR, { maxCapacity: 70_000 });
      expect(await codesOf(undefined, sent)).not.to.include("declaredNotSent");
      expect(await codesOf(kept, sentToo)).to.include("keptOverwritten");
    });
  }

  it("shows with retain the baseline, not the value of another resource of the run", async () => {
    const store = new Store();
    store.note("released", CAR, [{ key: "maxCapacity", old: 50_000, new: 78_000 }]);
    const settings = verified({ maxCapacity: 77_000 }, { maxCapacity: 78_000 });
    const { infos, requests } = await deleted({ onDelete: "retain", settings, store });
    expect(requests).to.deep.equal([]);
    expect(infos).to.contain("maxCapacity was 50 kWh");
  });

  it("leaves a setting alone that another resource declares while the device is read", async () => {
    const store = new Store();
    const service = fleet(OURS);
    service.beforeRead = () => void claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf("urn:next"));
    const before = { ...CAR, onDelete: "restore" as const, settings: ALL };
    await remove(callOf(vehicle, service, { store }), before);
    expect(fromDevice(vehicle, service.get(CAR) ?? {})).to.deep.equal({ ...BASELINE, maxCapacity: 77_000 });
  });

  it("records in the journal what it restored, for the resource, if it is known", async () => {
    for (const urn of ["urn:car", undefined]) {
      const restored: unknown[] = [];
      const journal = logsWith({
        release: async (outcome, _, settings, { urn: by }) => {
          restored.push({ outcome, settings, by });
          return undefined;
        },
      });
      const store = new Store({ journal: () => journal });
      claimed(store, ROOF, {}, ownerOf("urn:any", inverter));
      const settings = { maxCapacity: ALL.maxCapacity as Known };
      await remove(callOf(vehicle, fleet(OURS), { store, urn }), { ...CAR, onDelete: "restore", settings });
      const written = [{ key: "maxCapacity", old: undefined, new: 60_000 }];
      expect(restored).to.deep.equal([{ outcome: "accepted", settings: written, by: urn }]);
    }
  });

  for (const onDelete of ["restore", "reset"] as const) {
    describe(`${onDelete}: limits`, () => {
      it("makes no request if nothing is declared, or others declare everything", async () => {
        const store = new Store();
        claimed(store, CAR, VALUES, ownerOf());
        for (const given of [{ settings: {} }, { store }]) {
          expect((await deleted({ onDelete, ...given })).methods).to.deep.equal([]);
        }
      });

      it("never touches a key that another resource of the run declares, and heeds no claim on another device", async () => {
        const store = new Store();
        claimed(store, CAR, { maxCapacity: 1, policy: "none" }, ownerOf());
        claimed(store, ROOF, VALUES, ownerOf());
        claimed(store, { ...CAR, businessId: "other" }, VALUES, ownerOf());
        expect(Object.keys((await deleted({ onDelete, store })).sent)).to.deep.equal(["max_charge_power"]);
      });

      it("makes no update of what another resource sets to the same, and reports the baseline", async () => {
        const store = new Store();
        const same = fromDevice(vehicle, (await deleted({ onDelete })).sent as Device);
        claimed(store, CAR, same, ownerOf());
        store.updated(CAR, same);
        const { sent, codes, infos } = await deleted({ onDelete, store });
        expect([sent, codes]).to.deep.equal([{}, []]);
        expect(infos).to.contain("maxCapacity was 60 kWh").and.not.to.contain("no longer managed");
        expect(baselinesByValue(store.events(CAR, "maxCapacity")).get(77_000)).to.equal(60_000);
      });

      it("leaves what another stack of the fleet declares, and reports its baseline, and a value that may not be sent", async () => {
        writeClaims(path("store.jsonl"), [[CAR, { maxCapacity: 1 }]]);
        const shared = new RunFile(() => path("store.jsonl"), { own: process.pid + 1, isAlive: () => true });
        const { sent, codes, infos } = await deleted({ onDelete, store: new Store({ shared }) });
        expect(Object.keys(sent)).to.deep.equal(["max_charge_power", "policy"]);
        expect(codes).to.deep.equal(["declaredNotSent", "declaredElsewhere"]);
        expect(infos).to.contain("maxCapacity was 60 kWh");
      });

      it("succeeds for a device that is gone, before the read or before the update", async () => {
        expect((await deleted({ onDelete, service: new FakeService() })).requests).to.deep.equal(["GET"]);
        for (const status of [404, 410]) {
          const service = fleet(OURS);
          service.fail("updates", () => refused(status));
          const { methods, reasons } = await deleted({ onDelete, service });
          expect([methods, reasons]).to.deep.equal([["GET", "PATCH"], []]);
        }
      });

      it("fails, and loses nothing, if the device may be there, at another address", async () => {
        for (const service of [fleet(OURS), new FakeService()]) {
          service.believesInGone = false;
          service.fail("updates", () => refused(404));
          const { car, codes, infos, reasons } = await deleted({ onDelete, service });
          expect([codes, infos, reasons.length]).to.deep.equal([[], "", 1]);
          expect(car.outputs).to.not.equal(undefined);
        }
      });

      it("fails with every other failure of the update, also a 404 that does not name the device", async () => {
        for (const failure of [refused(403), refused(404, { isGone: false })]) {
          const service = fleet(OURS);
          service.fail("updates", () => failure);
          expect((await deleted({ onDelete, service })).error).to.equal(failure);
        }
      });

      it("names the next step after an update of unknown outcome, because state does not show it", async () => {
        const service = fleet(OURS);
        service.fail("answers", uncertain);
        const { error, reasons } = await deleted({ onDelete, service });
        expect(error).to.have.nested.property("problem.code", "uncertainDelete");
        expect(reasons[0]).to.contain(uncertain().message).and.contain('"pulumi refresh"');
      });

      it("refuses a device that is of another type by now, and sends nothing", async () => {
        const { error, methods } = await deleted({ onDelete, live: { ...OURS, dev_type: "Inverter" } });
        expect(error).to.have.nested.property("problem.code", "otherKind");
        expect(methods).to.deep.equal(["GET"]);
      });
    });
  }
});
