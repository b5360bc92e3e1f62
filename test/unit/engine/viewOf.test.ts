import { inspect } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import type { GetDeviceResult } from "../../../provider/engine/deviceView";
import { viewOf } from "../../../provider/engine/viewOf";
import { deviceSchema } from "../../../provider/service/device";

const CAR = { businessId: "acme", deviceId: "car" };

function view(answer: unknown, inverterFields: Record<string, string> = {}): GetDeviceResult {
  return viewOf(CAR, deviceSchema.parse(answer), inverterFields);
}

describe("viewOf", () => {
  // The documented device object, with a status and undocumented fields.
  const vehicle = {
    __typename: "Vehicle",
    id: "car",
    dev_make: "tesla",
    phys_id: "8c2f-physical",
    dev_type: "Electric vehicle",
    metadata: {
      id: "m1",
      dev_id: "car",
      dev_type: "Electric vehicle",
      dev_make: "tesla",
      phys_id: "8c2f-physical",
      setup_complete: true,
      max_capacity: 77_000,
    },
    connector_data: { title: "Anna's car", display_name: "Anna", location_aware: true, vin: "hidden-vin" },
    config: {
      opt_out: false,
      opt_out_until: "",
      charge_by: "07:00",
      charge_from: "20:00",
      guaranteed_max_price: null,
      guaranteed_soc: 30,
      target_soc: 80,
      max_charge_power: 11_000,
    },
    policy: "CHARGE BY",
    setup_complete: true,
    metrics: { service_status: "active_waiting", charging_status: "unplugged", address: "hidden-street" },
  };

  it("shows a vehicle by the names of the SDK", () => {
    expect({ ...view(vehicle) }).to.deep.equal({
      businessId: "acme",
      deviceId: "car",
      devType: "Electric vehicle",
      devMake: "tesla",
      setupComplete: true,
      reported: { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" },
      config: {
        optOut: false,
        optOutUntil: "",
        chargeBy: "07:00",
        chargeFrom: "20:00",
        guaranteedMaxPrice: null,
        guaranteedSoc: 30,
        targetSoc: 80,
      },
      locationAware: true,
      serviceStatus: "active_waiting",
      chargingStatus: "unplugged",
    });
  });

  it("gives the owner's names and the physical id by name", () => {
    expect(view(vehicle).personal).to.deep.equal({
      title: "Anna's car",
      displayName: "Anna",
      physId: "8c2f-physical",
    });
  });

  it("keeps what it does not show under raw, where it stands", () => {
    expect(view(vehicle).raw).to.deep.equal({
      __typename: "Vehicle",
      id: "car",
      metadata: { id: "m1", dev_id: "car" },
      connector_data: { vin: "hidden-vin" },
      config: {},
      metrics: { service_status: "active_waiting", charging_status: "unplugged", address: "hidden-street" },
    });
  });

  it("shows neither of both in logs and JSON", () => {
    const printed = JSON.stringify(view(vehicle)) + inspect(view(vehicle), { depth: null });
    expect(printed).not.to.match(/Anna|physical|hidden|personal|raw|__typename/);
  });

  it("shows an inverter by the configured wire names", () => {
    const answer = { dev_type: "Inverter", metadata: { pv_kwp: 9800, azimuth: 180 }, policy: "CHARGE BY" };
    const shown = view(answer, { peakPower: "pv_kwp" });
    expect({ ...shown }).to.deep.equal({
      ...CAR,
      devType: "Inverter",
      reported: { peakPower: 9800, azimuth: 180 },
    });
    expect(shown.raw).to.deep.equal({ metadata: {}, policy: "CHARGE BY" });
  });

  it("shows the settings of both kinds of a device whose type is not shown", () => {
    const answer = { dev_type: "", max_capacity: 77_000, tilt: 35 };
    expect({ ...view(answer) }).to.deep.equal({ ...CAR, reported: { maxCapacity: 77_000, tilt: 35 } });
  });

  it("knows the type by the type tag if nothing else shows it", () => {
    expect(view({ __typename: "Vehicle", tilt: 35 })).to.deep.include({ devType: "Electric vehicle", reported: {} });
  });

  it("takes from metadata what the top level does not show", () => {
    const metadata = { dev_type: "Inverter", dev_make: "sma", setup_complete: false, phys_id: "p1" };
    const shown = view({ metadata });
    expect(shown).to.include({ devType: "Inverter", devMake: "sma", setupComplete: false });
    expect([shown.personal, shown.raw]).to.deep.equal([{ physId: "p1" }, { metadata: {} }]);
  });

  it("prefers the top level, and keeps other values of metadata under raw", () => {
    const metadata = { dev_type: "Battery", dev_make: "b", setup_complete: true, phys_id: "p2", max_capacity: 2000 };
    const top = { dev_type: "Electric vehicle", dev_make: "a", setup_complete: false, phys_id: "p1" };
    const shown = view({ ...top, max_capacity: 1000, metadata });
    expect(shown).to.deep.include({ devType: "Electric vehicle", devMake: "a", setupComplete: false });
    expect(shown).to.deep.include({ reported: { maxCapacity: 1000 } });
    expect([shown.personal, shown.raw]).to.deep.equal([{ physId: "p1" }, { metadata }]);
  });

  it("shows nothing of a device of which nothing is known", () => {
    const shown = view({ policy: 5, config: "none", setup_complete: null });
    expect({ ...shown }).to.deep.equal({ ...CAR, reported: {} });
    expect([shown.personal, shown.raw]).to.deep.equal([{}, {}]);
  });

  describe("of any device", () => {
    type Fields = Readonly<Record<string, unknown>>;

    // The place of each field in the view, by the place and the wire name in the answer.
    const fromTop = {
      dev_type: (view: GetDeviceResult) => view.devType,
      dev_make: (view: GetDeviceResult) => view.devMake,
      setup_complete: (view: GetDeviceResult) => view.setupComplete,
      phys_id: (view: GetDeviceResult) => view.personal.physId,
      max_capacity: (view: GetDeviceResult) => view.reported.maxCapacity,
      policy: (view: GetDeviceResult) => view.reported.policy,
      tilt: (view: GetDeviceResult) => view.reported.tilt,
    };
    const fromConfig = {
      opt_out: (view: GetDeviceResult) => view.config?.optOut,
      charge_by: (view: GetDeviceResult) => view.config?.chargeBy,
      target_soc: (view: GetDeviceResult) => view.config?.targetSoc,
      max_capacity: fromTop.max_capacity,
      policy: fromTop.policy,
      tilt: fromTop.tilt,
    };
    const fromConnector = {
      title: (view: GetDeviceResult) => view.personal.title,
      location_aware: (view: GetDeviceResult) => view.locationAware,
    };
    const places: [(device: Fields) => Fields, Record<string, (view: GetDeviceResult) => unknown>][] = [
      [({ metadata, config, connector_data, ...top }) => top, fromTop],
      [({ metadata = {} }) => metadata as Fields, fromTop],
      [({ config = {} }) => config as Fields, fromConfig],
      [({ connector_data = {} }) => connector_data as Fields, fromConnector],
    ];

    const names = places.flatMap(([, shownBy]) => Object.keys(shownBy));
    const name = fc.oneof(fc.constantFrom(...names, "id", "constructor"), fc.string());
    const value = fc.oneof(fc.constantFrom("Electric vehicle", "x", true, false, 1, 2, null), fc.jsonValue());
    const fields = fc.dictionary(name, value, { noNullPrototype: true });
    const nested = fc.record({ metadata: fields, config: fields, connector_data: fields }, { requiredKeys: [] });
    const anyDevice = fc.tuple(fields, nested).map(([top, below]) => deviceSchema.parse({ ...top, ...below }));

    it("every field is either shown or under raw, where it stands, and nothing else is there", () => {
      fc.assert(
        fc.property(anyDevice, (device) => {
          const shown = viewOf(CAR, device, {});
          for (const [at, shownBy] of places) {
            const isLeft = ([name, value]: [string, unknown]) =>
              value !== undefined && !(Object.hasOwn(shownBy, name) && shownBy[name]?.(shown) === value);
            expect(at(shown.raw)).to.deep.equal(Object.fromEntries(Object.entries(at(device)).filter(isLeft)));
          }
        }),
      );
    });

    it("no JSON holds what is personal or under raw", () => {
      fc.assert(
        fc.property(anyDevice, fc.uuid(), fc.uuid(), (device, owner, other) => {
          const connector_data = { title: owner, display_name: owner, other };
          const shown = viewOf(CAR, { ...device, connector_data, phys_id: owner, other: [other] }, {});
          expect(shown.personal).to.deep.equal({ title: owner, displayName: owner, physId: owner });
          expect(shown.raw).to.deep.include({ connector_data: { other }, other: [other] });
          expect(JSON.stringify(shown)).not.to.match(new RegExp(`${owner}|${other}`));
        }),
      );
    });
  });
});
