import { expect } from "chai";
import { sendsInPreview } from "../../../../cli/review/sends";
import { previewIn } from "../../../../cli/view/pulumiPreview";
import { UNKNOWN } from "../../../../provider/settings/objects";
import { SITE } from "../../../support/sites";

const PROVIDER = "urn:pulumi:dev::home::pulumi:providers:solar-charging::north";
const SERVICE = "https://api.example.com";
const OF_STACK = { "solar-charging:baseUrl": SERVICE, "solar-charging:businessId": "acme" };
const HIDDEN = "[secret]";

type Fields = Readonly<Record<string, unknown>>;

/** The values that a preview of one resource may send. */
function sendsOf(
  op: string,
  { inputs, outputs, ofClass = "SiteSettings" }: { inputs?: Fields; outputs?: Fields; ofClass?: string },
) {
  const urn = `urn:pulumi:dev::home::solar-charging:index:${ofClass}::home`;
  const steps = [{ op, urn, oldState: outputs && { outputs }, newState: inputs && { inputs } }];
  const preview = previewIn({ config: OF_STACK, steps });
  const [found] = preview ? sendsInPreview(preview) : [];
  if (!found) throw new Error("the preview has no such resource");
  const sent = found.devices.flatMap(({ deviceId, sends }) =>
    sends.map(({ setting, value, why }) => `${deviceId} ${setting} ${value} ${why}`),
  );
  return { ...found, sent };
}

/** A site in state, with these values and baselines of its devices. */
const siteIn = (devices: Readonly<Record<string, Fields>>, more: Fields = {}) => ({
  devices,
  businessId: "acme",
  ...more,
});
const deviceIn = (deviceId: string, values: Fields, baselines: Fields = {}, more: Fields = {}) => ({
  ...{ deviceId, ...values },
  settings: Object.fromEntries(
    Object.keys(values).map((key) => [key, key in baselines ? { baseline: baselines[key] } : {}]),
  ),
  ...more,
});
const carIn = (values: Fields, more: Fields = {}) =>
  siteIn({ "vehicle/car": deviceIn("car", values, { maxCapacity: 60_000 }, more) }, { solar: false });
const carOf = (values: Fields) => ({
  solar: false,
  businessId: "acme",
  vehicles: { car: { deviceId: "car", ...values } },
});

describe("the values that the steps of a preview may send", () => {
  it("are those that differ from state, each with its reason", () => {
    const inputs = carOf({ maxCapacity: 77_000, maxChargePower: 11_000 });
    expect(sendsOf("create", { inputs }).sent).to.deep.equal([
      "car maxCapacity 77000 update",
      "car maxChargePower 11000 update",
    ]);
    const outputs = carIn({ maxCapacity: 77_000, maxChargePower: 7400 });
    expect(sendsOf("update", { inputs, outputs }).sent).to.deep.equal([
      "car maxCapacity 77000 repair",
      "car maxChargePower 11000 update",
    ]);
  });

  it("are none of a step without a change, which shows nothing to review, but for repairs", () => {
    const inputs = carOf({ maxCapacity: 77_000, maxChargePower: 11_000 });
    const outputs = carIn({ maxCapacity: 77_000, maxChargePower: 7400 });
    expect(sendsOf("same", { inputs, outputs }).sent).to.deep.equal(["car maxCapacity 77000 repair"]);
  });

  it("contain the policy of a car whose site may become ready, and nothing of an observed device", () => {
    const inputs = { businessId: "acme", ...SITE, inverters: { p: { deviceId: "roof-p", observe: true } } };
    const { sent } = sendsOf("create", { inputs });
    expect(sent).to.include("car-a policy CHARGE BY FORECAST update");
    expect(sent.join()).not.to.contain("roof-p");
    const unknown = { ...inputs, inverters: { p: { deviceId: UNKNOWN, observe: true } } };
    const { devices } = sendsOf("create", { inputs: unknown });
    expect(devices.flatMap((one) => one.unknown)).to.deep.equal([]);
  });

  it("contain the baselines of a device that leaves a site, or with its site", () => {
    const outputs = carIn({ maxCapacity: 77_000 }, { onDelete: "restore" });
    const inputs = { solar: false, businessId: "acme", vehicles: {} };
    for (const found of [sendsOf("update", { inputs, outputs }), sendsOf("delete", { outputs })]) {
      expect(found.sent).to.deep.equal(["car maxCapacity 60000 release", "car maxCapacity 77000 moved"]);
    }
  });

  // Without this, an approved set would count a device to which nothing can be sent.
  it("have no device that was only observed, if it leaves a site, or with its site", () => {
    const outputs = siteIn({
      "vehicle/car": deviceIn("car", { maxCapacity: 77_000 }),
      "inverter/roof": { deviceId: "roof", observe: true, settings: { tilt: { status: "unmanaged", reported: 30 } } },
    });
    const inputs = { solar: false, businessId: "acme" };
    for (const found of [sendsOf("update", { inputs, outputs }), sendsOf("delete", { outputs })]) {
      expect(found.devices.map(({ label }) => label)).to.deep.equal(["vehicle/car"]);
    }
  });

  it("are none for a read, a refresh or an import", () => {
    for (const op of ["read", "refresh", "import"]) {
      expect(() => sendsOf(op, { inputs: carOf({ maxCapacity: 77_000 }) })).to.throw("no such resource");
    }
  });

  it("name what only the update knows", () => {
    const { devices } = sendsOf("create", { inputs: { ...carOf({ maxCapacity: UNKNOWN }), inverters: UNKNOWN } });
    expect(devices.flatMap(({ unknown }) => unknown)).to.have.members(["maxCapacity", "inverters"]);
  });

  it("leave out a secret that is hidden before and after, and name one that is new or would be restored", () => {
    const outputs = carIn({ maxCapacity: HIDDEN, maxChargePower: 7400 }, { onDelete: "restore" });
    const inputs = carOf({ maxCapacity: HIDDEN, maxChargePower: 11_000, onDelete: "restore" });
    const updated = sendsOf("update", { inputs, outputs });
    expect([updated.sent, updated.secret]).to.deep.equal([["car maxChargePower 11000 update"], []]);
    expect(sendsOf("create", { inputs }).secret).to.deep.equal(["maxCapacity of vehicle/car"]);
    expect(sendsOf("delete", { outputs }).secret).to.deep.equal(["maxCapacity of vehicle/car"]);
    const plain = sendsOf("update", { inputs: carOf({ maxCapacity: 77_000, maxChargePower: 7400 }), outputs });
    expect(plain.sent).to.include("car maxCapacity 77000 update");
    expect(plain.secret).to.deep.equal([]);
  });

  it("leave out a device that is a secret, and the planes of a secret latitude", () => {
    const planes = [{ peakPower: 5000, azimuth: 180, tilt: 30 }];
    const roof = { deviceId: "roof", planes, baseLoad: 300 };
    const inputs = { businessId: "acme", latitude: HIDDEN, vehicles: { car: HIDDEN }, inverters: { roof } };
    const { sent, secret } = sendsOf("create", { inputs });
    expect(sent).to.deep.equal(["roof baseLoad 300 update"]);
    expect(secret).to.have.members([
      "deviceId of vehicle/car",
      ...["peakPower", "azimuth", "tilt"].map((key) => `${key} of inverter/roof`),
    ]);
  });

  it("name a secret argument of the site that decides what is sent", () => {
    const { secret } = sendsOf("create", { inputs: { ...carOf({ maxCapacity: 77_000 }), solar: HIDDEN } });
    expect(secret).to.deep.equal(["solar of home"]);
  });

  it("name a secret option of a device that decides what is sent, if it was none before", () => {
    const outputs = carIn({ maxCapacity: 77_000 });
    const inputs = carOf({ maxCapacity: 77_000, onDrift: HIDDEN });
    expect(sendsOf("update", { inputs, outputs }).secret).to.deep.equal(["vehicles.car.onDrift of home"]);
    const before = carIn({ maxCapacity: 77_000 }, { onDrift: HIDDEN });
    expect(sendsOf("update", { inputs, outputs: before }).secret).to.deep.equal([]);
  });

  for (const answer of [HIDDEN, UNKNOWN]) {
    it(`do not contain a value that somebody else set, and that an onDrift that is ${answer} may keep`, () => {
      const values = { maxCapacity: 77_000, maxChargePower: 7400 };
      const settings = { maxCapacity: { status: "kept", reported: 60_000 }, maxChargePower: {} };
      const before = answer === HIDDEN ? HIDDEN : "keep";
      for (const [inputs, outputs] of [
        [{ onDrift: answer }, carIn(values, { onDrift: before, settings })],
        [{ onDrift: { maxCapacity: answer } }, carIn(values, { onDrift: { maxCapacity: before }, settings })],
      ] as const) {
        const changed = { ...values, maxChargePower: 11_000, ...inputs };
        expect(sendsOf("update", { inputs: carOf(changed), outputs }).sent).to.include.members([
          "car maxCapacity 77000 repair",
          "car maxChargePower 11000 update",
        ]);
      }
    });
  }

  it("contain a drifted value that a secret onDrift cannot keep", () => {
    const settings = { maxCapacity: { status: "drifted", ours: 77_000 } };
    const outputs = carIn({ maxCapacity: 60_000 }, { onDrift: HIDDEN, settings });
    const inputs = carOf({ maxCapacity: 77_000, onDrift: HIDDEN });
    expect(sendsOf("update", { inputs, outputs }).sent).to.include("car maxCapacity 77000 update");
  });

  it("name a secret onDelete of a device that leaves, of its own or of its site", () => {
    const inputs = { solar: false, businessId: "acme", vehicles: {} };
    const own = carIn({ maxCapacity: 77_000 }, { onDelete: HIDDEN });
    const ofSite = { ...carIn({ maxCapacity: 77_000 }), onDelete: HIDDEN };
    for (const outputs of [own, ofSite]) {
      expect(sendsOf("update", { inputs, outputs }).secret).to.deep.equal(["onDelete of vehicle/car"]);
      expect(sendsOf("delete", { outputs }).secret).to.deep.equal(["onDelete of vehicle/car"]);
    }
  });

  it("refuse a replacement that keeps the device, and know one that changes it", () => {
    const ofClass = "VehicleSettings";
    const outputs = { businessId: "acme", ...deviceIn("car", { maxCapacity: 77_000 }, { maxCapacity: 60_000 }) };
    const inputs = { businessId: "acme", deviceId: "car", maxCapacity: 77_000 };
    expect(sendsOf("replace", { inputs, outputs, ofClass }).error).to.contain("--replace");
    const other = sendsOf("replace", { inputs: { ...inputs, deviceId: "van" }, outputs, ofClass });
    expect(other.error).to.equal(undefined);
    expect(other.sent).to.include("van maxCapacity 77000 update");
  });

  it("say which state this version does not understand", () => {
    const outputs = siteIn({ "boat/b": deviceIn("boat", {}) });
    expect(sendsOf("delete", { outputs }).error).to.contain("boat/b");
  });

  describe("with a provider of the program", () => {
    const urn = "urn:pulumi:dev::home::solar-charging:index:SiteSettings::home";
    const newState = { inputs: carOf({ maxCapacity: 77_000 }), provider: `${PROVIDER}::id` };
    const ofProvider = { op: "same", urn: PROVIDER, newState: { inputs: { baseUrl: "https://north.example.com" } } };
    const servicesOf = (...steps: object[]) => {
      const preview = previewIn({ config: OF_STACK, steps: [{ op: "create", urn, newState }, ...steps] });
      return preview && sendsInPreview(preview).map(({ service }) => service);
    };

    it("are for its service", () => {
      expect(servicesOf(ofProvider)).to.deep.equal(["https://north.example.com"]);
    });

    it("are refused if the preview does not show it", () => {
      expect(() => servicesOf()).to.throw("--show-sames");
    });
  });
});
