import { expect } from "chai";
import type { Change } from "../../../provider/lifecycle/run/changes";
import { detailOf } from "../../../provider/plugin/detail";
import type { DeclaredDevice } from "../../../provider/settings/site";

const car = { group: "vehicles", name: "car" } as const;
const device = (name: string) => ({ ...car, name }) as DeclaredDevice;
const ofCar = (key: string): Change => ({ kind: "value", device: car, key });
const site = (vehicles: object) => ({ site: "home", vehicles });
const detail = (changes: readonly Change[], oldInputs: object, news: object) =>
  Object.fromEntries(
    detailOf(
      { changes, replaces: [] },
      { oldInputs: oldInputs as Record<string, unknown>, news: news as Record<string, unknown> },
    ),
  );

describe("detail of a diff", () => {
  it("has a path for each change of the inputs", () => {
    const shown = detail(
      [ofCar("maxCapacity"), ofCar("policy"), ofCar("maxChargePower")],
      site({ car: { maxCapacity: 1, policy: "CHARGE BY" } }),
      site({ car: { maxCapacity: 2, maxChargePower: 3 } }),
    );
    expect(shown).to.deep.equal({
      "vehicles.car.maxCapacity": "update",
      "vehicles.car.policy": "delete",
      "vehicles.car.maxChargePower": "add",
    });
  });

  it("has nothing that is no change, whatever the inputs are", () => {
    expect(detail([], site({ car: { policy: "CHARGE BY" } }), site({ car: {} }))).to.deep.equal({});
  });

  it("shows as an addition what an update that failed declared already", () => {
    const inputs = site({ car: { maxCapacity: 2 } });
    expect(detail([ofCar("maxCapacity")], inputs, inputs)).to.deep.equal({ "vehicles.car.maxCapacity": "add" });
  });

  it("leaves out what neither inputs have: an update that failed has no longer declared it", () => {
    expect(detail([ofCar("maxCapacity")], site({ car: {} }), site({ car: {} }))).to.deep.equal({});
  });

  it("shows a device that comes, goes, is renamed or is another one", () => {
    const changes: Change[] = [
      { kind: "new", device: device("new") },
      { kind: "leaves", device: device("gone"), onDelete: "retain" },
      { kind: "renamed", device: device("after"), from: device("before") },
      { kind: "new", device: device("other") },
      { kind: "leaves", device: device("other"), onDelete: "retain" },
    ];
    const olds = site({ gone: { deviceId: "g" }, before: { deviceId: "b" }, other: { deviceId: "o" } });
    const news = site({ new: { deviceId: "n" }, after: { deviceId: "b" }, other: { deviceId: "p" } });
    expect(detail(changes, olds, news)).to.deep.equal({
      "vehicles.new": "add",
      "vehicles.gone": "delete",
      "vehicles.after": "add",
      "vehicles.before": "delete",
      "vehicles.other.deviceId": "update",
    });
  });

  it("of a device of another business points to the business", () => {
    const changes: Change[] = [
      { kind: "new", device: device("car") },
      { kind: "leaves", device: device("car"), onDelete: "retain" },
    ];
    const car = { deviceId: "c" };
    const sites = [
      [site({ car }), { ...site({ car }), businessId: "b" }, { businessId: "add" }],
      [site({ car }), site({ car: { ...car, businessId: "b" } }), { "vehicles.car.businessId": "add" }],
      // The other business comes only from the configuration.
      [site({ car }), site({ car }), { "vehicles.car": "add" }],
    ] as const;
    for (const [olds, news, shown] of sites) expect(detail(changes, olds, news)).to.deep.equal(shown);
  });

  it("quotes a name as the engine reads it", () => {
    const changes: Change[] = [{ kind: "new", device: device('my."van"') }];
    expect(detail(changes, site({}), site({ 'my."van"': { deviceId: "n" } }))).to.deep.equal({
      'vehicles["my.\\"van\\""]': "add",
    });
  });

  it("of a resource that is one device has no device in its paths", () => {
    const changes: Change[] = [{ kind: "value", key: "maxCapacity", before: 1, after: 2 }];
    expect(detail(changes, { maxCapacity: 1 }, { maxCapacity: 2 })).to.deep.equal({ maxCapacity: "update" });
  });
});
