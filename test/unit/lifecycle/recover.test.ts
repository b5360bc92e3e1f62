import { expect } from "chai";
import { Store } from "../../../provider/ledger/store";
import type { Records } from "../../../provider/lifecycle/device/record";
import { fromOutputs } from "../../../provider/lifecycle/device/state";
import type { Read } from "../../../provider/lifecycle/operations";
import { recover } from "../../../provider/lifecycle/recover";
import { omit } from "../../../provider/settings/objects";
import type { Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, callOf, FakeService } from "../../support/fakes";
import { eachIn, settingsIn, verified } from "../../support/records";
import { CAR_VALUES, FORECAST, ROOF_VALUES, refOf, SITE } from "../../support/sites";

const { a } = SITE.vehicles;
const { p } = SITE.inverters;

describe("the state of a device that is recovered", () => {
  const declared = { ...CAR, onDelete: "restore" as const, values: { maxCapacity: 77_000, policy: FORECAST } };

  /** The records from reported values, from records of another stack, and from the journal. */
  async function recovered(
    reported: Values,
    { kept, left }: { kept?: Records; left?: readonly (readonly [key: string, ours: number, before?: number])[] } = {},
  ) {
    const store = new Store();
    store.note(
      "released",
      CAR,
      (left ?? []).map(([key, ours, before]) => ({ key, old: before, new: ours })),
    );
    const call = callOf(vehicle, new FakeService(), { store });
    const remains = { reported, kept: kept && { ...CAR, settings: kept } };
    const inputs = { ...CAR, onDelete: "restore", ...declared.values };
    const { id, outputs } = recover(call.store, { kind: vehicle, name: "car", inputs }, () => remains) as Read;
    expect(id).to.equal("acme/car");
    const { settings, ...rest } = fromOutputs(vehicle, outputs);
    expect(rest).to.deep.equal({ ...CAR, onDelete: "restore" });
    return settings;
  }

  const seen = { maxCapacity: 77_000, policy: FORECAST };
  const unseen = { policy: FORECAST };
  const policy = { policy: { status: "verified", value: FORECAST, baseline: FORECAST } } as const;
  const verifiedWith = (baseline: number) => ({
    ...policy,
    ...verified({ maxCapacity: 77_000 }, { maxCapacity: baseline }),
  });
  const notReported = { status: "notReported", value: 77_000 } as const;

  for (const [what, reported, given, records] of [
    ["has the present values as baselines", seen, {}, verifiedWith(77_000)],
    ["has the baselines of the journal", seen, { left: [["maxCapacity", 77_000, 60_000]] }, verifiedWith(60_000)],
    [
      "has the baselines of another stack, whatever the journal says",
      seen,
      { kept: verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 }), left: [["maxCapacity", 77_000, 50_000]] },
      verifiedWith(60_000),
    ],
    [
      "has the baseline in place of another resource's value",
      seen,
      { kept: verified({ maxCapacity: 77_000 }, { maxCapacity: 78_000 }), left: [["maxCapacity", 78_000, 50_000]] },
      verifiedWith(50_000),
    ],
    [
      "has drift against the state of another stack",
      { ...seen, maxCapacity: 70_000 },
      { kept: verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 }) },
      { ...policy, maxCapacity: { status: "drifted", value: 70_000, ours: 77_000, baseline: 60_000 } },
    ],
    ["has no setting that is not reported, and not in the journal", unseen, {}, policy],
    ["has none that the journal has with another value", unseen, { left: [["maxCapacity", 78_000, 60_000]] }, policy],
    [
      "has one that is not reported, if the journal has it",
      unseen,
      { left: [["maxCapacity", 77_000, 60_000]] },
      { ...policy, maxCapacity: { ...notReported, baseline: 60_000 } },
    ],
    [
      "has the baseline of another stack for it, whatever the journal says",
      unseen,
      { kept: verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 }), left: [["maxCapacity", 77_000, 50_000]] },
      { ...policy, maxCapacity: { ...notReported, baseline: 60_000 } },
    ],
    [
      "has it without a baseline if none was reported",
      unseen,
      { left: [["maxCapacity", 77_000]] },
      { ...policy, maxCapacity: notReported },
    ],
    [
      "shows what is reported and not declared",
      { ...seen, maxChargePower: 11_000 },
      {},
      { ...verifiedWith(77_000), maxChargePower: { status: "unmanaged", reported: 11_000 } },
    ],
  ] as [string, Values, Parameters<typeof recovered>[1], Records][]) {
    it(what, async () => expect(await recovered(reported, given)).to.deep.equal(records));
  }
});

describe("the state of a site that is recovered", () => {
  const REPORTED: Readonly<Record<string, Values>> = {
    "car-a": { ...CAR_VALUES, policy: FORECAST },
    "roof-p": ROOF_VALUES,
  };
  const WHOLE = { vehicles: { a }, inverters: { p }, businessId: "acme", onDelete: "restore" };

  /** The outputs of a site of these devices. @param kept records of another stack */
  async function recovered(
    inputs: Readonly<Record<string, unknown>>,
    reported = REPORTED,
    { kept = {}, store = new Store() }: { kept?: Readonly<Record<string, Records>>; store?: Store } = {},
  ) {
    const call = callOf(vehicle, new FakeService(), { store });
    const site = recover(call.store, { kind: undefined, name: "home", inputs }, ({ deviceId }) => {
      const [found, settings] = [reported[deviceId], kept[deviceId]];
      return found && { reported: found, kept: settings && { ...refOf(deviceId), settings } };
    });
    const { outputs } = site as Read;
    return { outputs, devices: outputs.devices as Readonly<Record<string, Record<string, unknown>>> };
  }

  it("is that of a ready site with its options, its devices and the policies that it gave", async () => {
    const { outputs, devices } = await recovered(WHOLE);
    expect(outputs).to.deep.include({
      businessId: "acme",
      onDelete: "restore",
      policies: { a: FORECAST },
      ready: true,
    });
    expect(devices["vehicle/a"]).to.include(CAR_VALUES);
    expect(devices["inverter/p"]).to.include(ROOF_VALUES);
    expect(eachIn(devices["vehicle/a"], "baseline")).to.deep.equal({ ...CAR_VALUES, policy: FORECAST });
  });

  it("has no device that could not be read: the next update adopts it", async () => {
    const { devices } = await recovered(WHOLE, omit<Values>(REPORTED, ["roof-p"]));
    expect(Object.keys(devices)).to.deep.equal(["vehicle/a"]);
  });

  it("has a device that is only observed without baselines, whatever another stack managed", async () => {
    const inverters = { p: { deviceId: "roof-p", observe: true } };
    const { devices } = await recovered({ ...WHOLE, inverters }, REPORTED, {
      kept: { "roof-p": verified(ROOF_VALUES) },
    });
    expect(settingsIn(devices["inverter/p"]).tilt).to.deep.equal({ status: "unmanaged", reported: ROOF_VALUES.tilt });
  });

  describe("that is not ready", () => {
    const lacking = { ...WHOLE, inverters: { p: omit<unknown>(p, ["tilt"]) } };
    const journal = () => {
      const store = new Store();
      store.note("released", refOf("car-a"), [{ key: "policy", old: "CHARGE BY", new: FORECAST }]);
      return store;
    };
    const ofSite = { baseline: "CHARGE BY" };
    const ofNobody = { status: "unmanaged", reported: FORECAST };

    for (const [what, reported, given, record] of [
      ["has the policy of a car that the journal has", FORECAST, { store: journal() }, ofSite],
      [
        "has the policy of a car that another stack managed",
        FORECAST,
        { kept: { "car-a": verified({ policy: FORECAST }, { policy: "CHARGE BY" }) } },
        ofSite,
      ],
      ["has no policy of a car that nobody gave it", FORECAST, {}, ofNobody],
      ["has no policy that another stack only read", FORECAST, { kept: { "car-a": { policy: ofNobody } } }, ofNobody],
      [
        "has no policy that somebody else has set since",
        "CHARGE BY",
        { store: journal() },
        { status: "unmanaged", reported: "CHARGE BY" },
      ],
      ["has no policy of a car that does not report it", undefined, { store: journal() }, undefined],
    ] as [string, string | undefined, Parameters<typeof recovered>[2], object | undefined][]) {
      it(what, async () => {
        const car = { ...CAR_VALUES, ...(reported !== undefined && { policy: reported }) };
        const { outputs, devices } = await recovered(lacking, { ...REPORTED, "car-a": car }, given);
        expect(outputs.ready).to.equal(false);
        expect(outputs.policies).to.deep.equal(record === ofSite ? { a: FORECAST } : undefined);
        expect(settingsIn(devices["vehicle/a"]).policy).to.deep.equal(record);
      });
    }
  });
});
