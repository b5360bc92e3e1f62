import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { gapInWords } from "../../provider/settings/readiness";
import { LINTS, SITE_LINTS } from "../../provider/settings/rules";
import { like } from "../support/facts";
import { PolicyPack, violationsIn } from "../support/policyPack";
import { givenProject, type Output, ROOT } from "../support/project";

const FORECAST = "policy: ChargePolicy.ChargeByForecast";
const ROOF = "peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400";

const UNTILTED = ROOF.replace("tilt: 35, ", "");

const roofs = (...declared: string[]) =>
  `inverters: { ${declared.map((args, index) => `r${index}: { deviceId: "r${index}", ${args} }`).join(", ")} }`;

/** For each rule, the kind and the arguments of a resource that violates it, and the reported text, as in `like`. */
const VIOLATIONS: Readonly<Record<string, readonly [kind: string, args: string, says: string]>> = {
  "solar-ready": [
    "Site",
    `vehicles: { car: { deviceId: "lacking-car", maxCapacity: 77_000, maxChargePower: 11_000 } }, inverters: { roof: { deviceId: "lacking", ${UNTILTED} } }`,
    "inverter/roof: tilt …",
  ],
  "direct-current-power": ["Vehicle", "maxChargePower: 50_000", "maxChargePower"],
  "power-for-capacity": ["Vehicle", "maxCapacity: 10_000, maxChargePower: 14_000", "maxChargePower, maxCapacity"],
  "default-power": ["Vehicle", "maxChargePower: 7_200", "maxChargePower"],
  "small-capacity": ["Vehicle", "maxCapacity: 7_000", "maxCapacity"],
  "large-capacity": ["Vehicle", "maxCapacity: 200_000", "maxCapacity"],
  "default-capacity": ["Vehicle", "maxCapacity: 80_000", "maxCapacity"],
  "ignored-metadata": ["Vehicle", "maxCapacity: 77_000", "…maxCapacity…"],
  "forecast-without-metadata": ["Vehicle", FORECAST, "policy…"],
  "small-peak-power": ["Inverter", "peakPower: 200", "peakPower"],
  "large-peak-power": ["Inverter", "peakPower: 200_000", "peakPower"],
  "flat-tilt": ["Inverter", "tilt: 0", "tilt"],
  "tilt-in-radians": ["Inverter", "tilt: 0.6", "tilt"],
  "steep-tilt": ["Inverter", "tilt: 70", "tilt"],
  "high-cut-in": ["Inverter", "cutInThreshold: 600, peakPower: 1_000", "cutInThreshold, peakPower"],
  "low-cut-in": ["Inverter", "cutInThreshold: 0.15", "cutInThreshold"],
  "base-load-above-peak": ["Inverter", "baseLoad: 1_000, peakPower: 1_000", "baseLoad, peakPower"],
  "low-base-load": ["Inverter", "baseLoad: 0.4", "baseLoad"],
  "high-base-load": ["Inverter", "baseLoad: 6_000", "baseLoad"],
  "incomplete-inverter": ["Inverter", "peakPower: 9_800", "peakPower"],
  "azimuth-off-equator": ["Inverter", "azimuth: 0", "azimuth"],
  "repeated-base-load": ["Site", roofs(ROOF, ROOF), "inverter/r0, inverter/r1: baseLoad"],
  "base-load-above-site": [
    "Site",
    roofs("peakPower: 2_000, baseLoad: 1_900", "peakPower: 2_000, baseLoad: 2_100").replaceAll('"r', '"s'),
    "inverter/r0, inverter/r1: baseLoad",
  ],
};

const settings = (kind: string, name: string, args: string) =>
  `new ${kind}Settings("${name}", { ${kind === "Site" ? "" : `deviceId: "${name}",`} ${args} });`;

describe("engine: the policy pack", () => {
  const given = givenProject({ businesses: { acme: {} } }, "for all");
  const readme = readFileSync(join(ROOT, "policy", "README.md"), "utf8");
  let pack: PolicyPack;
  before(() => {
    pack = new PolicyPack(given.project);
  });

  const preview = async (program: readonly string[], config = {}): Promise<Output> => {
    given.project.program(program.join("\n"));
    return await pack.preview(config);
  };

  describe("on a stack that violates each rule", () => {
    const program = Object.entries(VIOLATIONS).map(([rule, [kind, args]]) => settings(kind, rule, args));
    /** The rules in README. */
    const rules = [...readme.matchAll(/^\| `(\S+)` \| (mandatory|advisory) \| (.+) \|$/gm)];
    const latitude = { "azimuth-off-equator": { latitude: 52 } };
    let output: Output;
    before(async () => {
      output = await preview(program, latitude);
    });

    it("has a rule for readiness and for each lint, and README and this test know them all", () => {
      const names = ["solar-ready", ...Object.keys(LINTS), ...Object.keys(SITE_LINTS)];
      expect(rules.map(([, rule]) => rule)).to.deep.equal(names);
      expect(Object.keys(VIOLATIONS)).to.deep.equal(names);
    });

    for (const [, rule = "", level, description] of rules) {
      it(`reports ${rule} on the resource, at the level and in the words of README`, () => {
        const [kind, , says] = VIOLATIONS[rule] ?? [];
        const found = violationsIn(output).find((violation) => violation.rule === rule && violation.resource === rule);
        expect(found, output.text).to.deep.include({ level });
        expect(found?.lines[0]).to.equal(description);
        expect(found?.lines[1]).to.match(
          like(kind === "Site" ? `…${says}` : `…${kind?.toLowerCase()}/${rule}: ${says}`),
        );
      });
    }

    it("fails the preview, because solar-ready is mandatory", () => {
      expect(output.code, output.text).to.not.equal(0);
    });

    it("allows it when the rules are advisory, with the same words", async () => {
      const advisory = await preview(program, { all: "advisory", ...latitude });
      expect(advisory.code, advisory.text).to.equal(0);
      expect(violationsIn(advisory)).to.have.deep.members(
        violationsIn(output).map((violation) => ({ ...violation, level: "advisory" })),
      );
    });
  });

  it("finds nothing in a stack that is ready, whichever resources declare it, and with values known later", async () => {
    const { code, text } = await preview([
      `const roof = new InverterSettings("roof", { deviceId: "roof", peakPower: 9_800, azimuth: 180, tilt: 35 });`,
      `new InverterSettings("roof-power", { deviceId: "roof", cutInThreshold: 150, baseLoad: 400 });`,
      settings("Vehicle", "car", "maxCapacity: 77_000, maxChargePower: 11_000"),
      `new VehicleSettings("car-policy", { deviceId: "car", ${FORECAST} });`,
      settings("Vehicle", "van", `maxCapacity: roof.settings.apply(() => 90_000), maxChargePower: 11_000, ${FORECAST}`),
    ]);
    expect(code, text).to.equal(0);
    expect(violationsIn({ code, text })).to.deep.equal([]);
    expect(text).to.match(/✅ pulumi-solar-charging-policy@v/);
  });

  describe("solar-ready", () => {
    const ready = `maxCapacity: 77_000, maxChargePower: 11_000, ${FORECAST}`;
    const missing = (output: Output) =>
      violationsIn(output)
        .filter(({ rule }) => rule === "solar-ready")
        .flatMap(({ lines }) => lines.slice(1));

    it("asks for an inverter with all five values for each business, of its own", async () => {
      const output = await preview([
        settings("Vehicle", "car", ready),
        settings("Inverter", "roof", "peakPower: 9_800, azimuth: 180, tilt: 35"),
        settings("Vehicle", "truck", `businessId: "other", ${ready}`),
        settings("Vehicle", "bus", `businessId: "third", ${ready}`),
        settings("Inverter", "hall", `businessId: "third", ${ROOF}`),
        settings("Inverter", "shed", `businessId: "third", peakPower: 4_000`),
      ]);
      expect(missing(output)).to.have.members([
        ...["cutInThreshold", "baseLoad"].map((setting) =>
          gapInWords({ device: "inverter/roof", setting, reason: "notDeclared" }),
        ),
        "business/other: no inverter",
      ]);
    });

    it("asks for no inverter if another stack has it", async () => {
      const output = await preview([settings("Vehicle", "car", ready)], { "solar-ready": { requireInverter: false } });
      expect(missing(output)).to.deep.equal([]);
      expect(output.code, output.text).to.equal(0);
    });

    it("reports that it cannot run in a preview of an unknown device", async () => {
      const { code, text } = await preview([
        `const roof = ${settings("Inverter", "roof", ROOF)}`,
        `new VehicleSettings("car", { deviceId: roof.settings.apply(() => "car"), ${FORECAST} });`,
      ]);
      expect(code, text).to.equal(0);
      expect(text).to.match(
        /can't run policy 'solar-ready' .* string value at \.deviceId can't be known during preview/,
      );
    });

    it("reports the gaps of a site that is not ready, but no value that is known only later", async () => {
      const output = await preview([
        `const sensor = ${settings("Inverter", "sensor", "tilt: 35")}`,
        `const site = (name, car, roof = { ${ROOF} }) => new SiteSettings(name, {
          vehicles: { car }, inverters: { roof: { deviceId: name + "-roof", ...roof } } });`,
        `site("home", { deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 }, { ${UNTILTED} });`,
        `const power = sensor.settings.apply(() => 11_000);`,
        `site("depot", { deviceId: "van", maxCapacity: 77_000, maxChargePower: power });`,
        `site("farm", { deviceId: "truck", maxCapacity: 77_000, maxChargePower: 11_000 });`,
      ]);
      expect(missing(output)).to.deep.equal([
        gapInWords({ device: "inverter/roof", setting: "tilt", reason: "notDeclared" }),
      ]);
    });

    it("reports the same of a site that exists, before it is changed and if nothing changes", async () => {
      const site = (tilt: number) =>
        settings(
          "Site",
          "home",
          `vehicles: { car: { deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 } },
           ${roofs(ROOF.replace(", baseLoad: 400", ""))}`,
        ).replace("tilt: 35", `tilt: ${tilt}`);
      for (const id of ["car", "r0"]) given.simulator.add("acme", id, { type: id === "car" ? "vehicle" : "inverter" });
      given.project.program(site(35));
      await given.project.up();
      for (const tilt of [35, 70]) {
        const output = await preview([site(tilt)]);
        const gap = { device: "inverter/r0", setting: "baseLoad", reason: "notDeclared" } as const;
        expect(missing(output), output.text).to.deep.equal([gapInWords(gap)]);
        const steep = violationsIn(output).filter(({ rule }) => rule === "steep-tilt");
        expect(steep.map(({ resource }) => resource)).to.deep.equal(tilt === 70 ? ["home"] : []);
      }
      await given.project.destroy();
    });
  });

  it("follows the configuration in README", async () => {
    const config = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? "");
    const output = await preview(
      [
        settings("Vehicle", "pool-car", "maxCapacity: 80_000"),
        settings("Vehicle", "car", "maxCapacity: 77_000, maxChargePower: 11_000"),
        settings("Vehicle", "van", `maxCapacity: 90_000, maxChargePower: 50_000, ${FORECAST}`),
        settings("Vehicle", "truck", `maxCapacity: 90_000, maxChargePower: 50_000, ${FORECAST}`),
        settings("Inverter", "roof", ROOF.replace("tilt: 35", "tilt: 0")),
        settings("Inverter", "hall", ROOF.replace("azimuth: 180", "azimuth: 0")),
      ],
      config,
    );
    expect(output.code, output.text).to.not.equal(0);
    const found = violationsIn(output).map(({ level, rule, resource }) => `${level} ${rule} ${resource}`);
    expect(found).to.have.members([
      "mandatory solar-ready car",
      "mandatory default-capacity pool-car",
      "advisory direct-current-power truck",
      "advisory azimuth-off-equator hall",
      "advisory ignored-metadata pool-car",
      "advisory ignored-metadata car",
    ]);
  });
});
