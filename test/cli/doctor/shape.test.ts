import { expect } from "chai";
import { lineOf } from "../../../cli/doctor/check";
import { guessCheck } from "../../../cli/doctor/guesses";
import { isSupported } from "../../../cli/doctor/setup";
import { shapeChecks, structureOfDevice, typeOfDevice } from "../../../cli/doctor/shape";
import { readConfiguration } from "../../../provider/configuration/configuration";
import { inverter } from "../../../provider/settings/inverter";
import { withWireNames } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { expectLike } from "../../support/facts";

const OWNER = "Ada's canary 4f1d";
const identity = { id: "car", dev_make: "m", phys_id: "p", dev_type: "Electric vehicle", setup_complete: true };
const CAR = {
  __typename: "Vehicle",
  ...identity,
  metadata: { ...identity, dev_id: "car" },
  connector_data: { title: OWNER, display_name: OWNER, location_aware: true },
  config: {
    opt_out: false,
    opt_out_until: "",
    charge_by: "07:00",
    charge_from: "00:00",
    guaranteed_max_price: null,
    guaranteed_soc: 40,
    target_soc: 80,
  },
  policy: "CHARGE BY",
};

type Fields = Readonly<Record<string, unknown>>;
const shown = (device: Fields, kind = vehicle) => ({
  device,
  structure: structureOfDevice(device, ["car"]),
  type: typeOfDevice(device),
  kind,
});
const lines = (device: Fields, kind = vehicle) => shapeChecks(shown(device, kind)).map(lineOf);
const guess = (device: Fields, fields?: Record<string, string>) =>
  lineOf(guessCheck(shown(device, withWireNames(inverter, fields ?? {})), { isConfigured: fields !== undefined }));

describe("doctor: a vehicle's object against the interface", () => {
  it("gives an opted-out car no tick for its status, and advice", () => {
    const found = lines({ ...CAR, service_status: "inactive_opted_out" }).find((line) =>
      line.includes("inactive_opted_out"),
    );
    expectLike([found ?? ""], ["– service status: … inactive_opted_out…opted out…"]);
  });

  it("names a car that only its config opts out, and says it once", () => {
    const config = { ...CAR.config, opt_out: true };
    const outs = (fields: Fields) => lines({ ...CAR, ...fields }).filter((line) => line.startsWith("– opted out"));
    expectLike(outs({ config }), ["– opted out: config.opt_out is true: …"]);
    expectLike(outs({ config, service_status: "active_waiting" }), ["– opted out: …"]);
    expect(outs({ config, service_status: "inactive_opted_out" })).to.deep.equal([]);
    expect(outs({})).to.deep.equal([]);
  });

  it("has nothing wrong if it is as documented", () => {
    expectLike(lines({ ...CAR, max_capacity: 60_000, service_status: "active_waiting", charging_status: "odd" }), [
      "✓ type: 'Electric vehicle', …",
      "✓ fields: …",
      "– … fields: …: charging_status and service_status",
      "✓ settings: …: maxCapacity (max_capacity) and policy (policy); …: maxChargePower (max_charge_power)",
      "✓ …: …, active_waiting",
      "– charging status: …",
    ]);
  });

  it("names fields of another type, and no value", () => {
    const text = lines({ ...CAR, setup_complete: OWNER, config: { ...CAR.config, charge_by: 7 } }).join("\n");
    expect(text).to.match(/✗ fields: .*: config\.charge_by .*number, .*string; setup_complete .*string, .*boolean/);
    expect(text).to.not.contain(OWNER);
  });

  it("names fields that are missing, which is a fault if the provider needs them", () => {
    const { policy, connector_data, ...rest } = CAR;
    expect(lines({ ...rest, policy }).join("\n")).to.match(/– \w+ fields: .*: connector_data(, | and )/);
    expect(lines({ ...rest, connector_data }).join("\n")).to.match(/✗ \w+ fields: .*: policy\n/);
    expect(lines({})[0]).to.match(/^✗ type: .*\n {4}\w/);
  });

  it("names unknown fields, without keys that may be ids", () => {
    const text = lines({ ...CAR, odometer: 1, [OWNER]: 1, trips: { car: 1 } }).join("\n");
    expect(text).to.contain(": *, odometer, trips and trips.*\n");
  });

  it("tells a setting that cannot be read, because it is no number", () => {
    expect(lines({ ...CAR, max_capacity: "60000" }).join("\n")).to.match(
      /✗ settings: .*: maxCapacity \(max_capacity\)/,
    );
  });
});

describe("doctor: an inverter's object", () => {
  const ROOF = { dev_type: "Inverter", metadata: { dev_type: "Inverter" } };

  it("has its type on one line, as text that does nothing to a terminal", () => {
    const [type] = lines({ dev_type: `Heat pump\n✓ x \u001b[31m\u202e${"y".repeat(500)}` }, inverter);
    expect(type).to.match(/^✓ type: 'Heat pump ✓ x \[31m y{100,200}…', .*inverter$/);
  });

  it("misses nothing, because no structure of it is documented", () => {
    const text = lines({ ...ROOF, dev_make: 5 }, inverter).join("\n");
    expect(text).to.match(/✓ type: 'Inverter', .*\n✗ fields: .*: dev_make .*number, .*string/);
    expect(text).to.not.contain("connector_data");
  });

  it("guesses the names of its settings, marked as a guess, with doubts and without values", () => {
    const line = guess({
      ...ROOF,
      config: { pv_peak_power: 9800, panel_azimuth: 187.5, roof_slope: 31.25, base_load_w: 300.5 },
      metadata: { start_threshold: 50_000_001, grid_export: 1, [`${"4".repeat(12)}`]: 3 },
    });
    expect(line).to.contain(
      '\n    SOLAR_CHARGING_INVERTER_FIELDS=\'{"peakPower":"pv_peak_power","azimuth":"panel_azimuth",' +
        '"baseLoad":"base_load_w","tilt":"roof_slope","cutInThreshold":"start_threshold"}\'',
    );
    expect(line).to.match(/start_threshold .* 0 W .* 10000 kW/);
    expect(line).to.contain("--identity-patch");
    expect(line).to.match(/: pv_peak_power, .*grid_export\. /);
    expect(line).to.not.match(/9800|187|31\.25|300\.5|50000001|4444/);
  });

  it("has a configuration that a provider accepts in the guess: each field for one setting", () => {
    const line = guess({ ...ROOF, peak_power: 1, min_peak_power: 2 });
    const [, json = ""] = /'({.*})'/.exec(line) ?? [];
    expect(JSON.parse(json)).to.deep.equal({ peakPower: "peak_power", cutInThreshold: "min_peak_power" });
  });

  it("guesses no field that the configuration refuses, such as one of a vehicle's setting", () => {
    const line = guess({ ...ROOF, max_charge_power: 11_000, max_capacity: 1, roof_tilt: 30 });
    const [, inverterFields = ""] = /INVERTER_FIELDS='(.*)'/.exec(line) ?? [];
    const configuration = readConfiguration((key) => ({ inverterFields })[key], {});
    expect(configuration.inverterFields).to.deep.equal({ tilt: "roof_tilt" });
  });

  it("guesses nothing if no number has a name like a setting", () => {
    expect(guess({ ...ROOF, peak_power: "9800" })).to.match(/^– inverter fields: [^{]*$/);
    expect(guess({ ...ROOF, grid_export: 1 })).to.match(/: grid_export\. [^{]*$/);
  });

  it("is as configured if the configured names are there", () => {
    const fields = { peakPower: "a", azimuth: "b", tilt: "c", cutInThreshold: "d", baseLoad: "e" };
    expect(guess({ ...ROOF, a: 1, b: 1, c: 1, d: 1, e: 1 }, fields)).to.match(/^✓ inverter fields: /);
    expect(guess({ ...ROOF, a: 1, b: 1, c: 1, d: 1 }, fields)).to.match(/^– inverter fields: /);
  });
});

describe("doctor: Node", () => {
  it("is supported as package.json says: ^20.19.0 || >=22.12.0", () => {
    for (const version of ["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.1.0"])
      expect(isSupported(version)).to.equal(true);
    for (const version of ["18.20.0", "20.18.9", "21.7.0", "22.11.0"]) expect(isSupported(version)).to.equal(false);
  });
});
