import { expect } from "chai";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { addDevices, newManifest } from "../../../cli/adopt/addition";
import type { Adopted } from "../../../cli/adopt/read";
import { parseManifest } from "../../../provider/manifest/manifest";
import { isSolarManifestSite, type Manifest, membersOf } from "../../../provider/manifest/model";
import { inverter } from "../../../provider/settings/inverter";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyId, someValues } from "../../support/arbitraries";
import { expectLike } from "../../support/facts";

const FILE = "fleet.yaml";
const adopted = (kind: DeviceKind, deviceId: string, site: string, reported: Values, businessId = "acme"): Adopted => ({
  ...{ deviceId, businessId, site, place: "test" },
  kind,
  reported,
});
const car = (deviceId: string, site: string, businessId?: string) =>
  adopted(vehicle, deviceId, site, { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY" }, businessId);
const FULL = { maxCapacity: 60_000, maxChargePower: 11_000 };
const added = (text: string, ...devices: Adopted[]) =>
  addDevices({ file: FILE, text, manifest: parseManifest(text, FILE) }, "acme", devices, {});
const lines = (text: string) => text.split("\n");
const deviceLines = (name: string, indent: string) =>
  lines(`${name}:\n  deviceId: ${name}\n  maxCapacity: 60000\n  maxChargePower: 11000\n  policy: CHARGE BY`).map(
    (line) => indent + line,
  );

const MANIFEST = `# Ours.
fleet: acme
businessId: acme
sites:
  berlin: # the yard
    vehicles:
      van: { deviceId: van, maxCapacity: 77 kWh }
      "007":
        deviceId: car
        maxCapacity: 60 kWh # as measured
        # maxChargePower is not reported

  # The other one.
  paris:
    vehicles:
      bus:
        deviceId: bus
        policy: CHARGE BY
# The end.
`;

/** The declaration of each device, and its site. */
function byDevice(manifest: Manifest) {
  return new Map(
    manifest.sites.flatMap((site) =>
      membersOf(site).map(({ name: _, ...member }) => [
        member.deviceId,
        { site: site.id, isSolar: isSolarManifestSite(site), ...member },
      ]),
    ),
  );
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === some[found]) found++;
  return found === some.length;
}

describe("adopt: additions to a manifest", () => {
  it("is put behind the last device of its site, and no other line changes", () => {
    const before = lines(MANIFEST);
    const after = lines(added(MANIFEST, car("new", "berlin"), car("other", "paris")).text);
    const expected = [...before];
    expected.splice(18, 0, ...deviceLines("other", "      "));
    expected.splice(11, 0, ...deviceLines("new", "      "));
    expect(after).to.deep.equal(expected);
  });

  it("is put into a site of its own, and into groups that its site did not have", () => {
    const roof = adopted(inverter, "roof", "paris", { peakPower: 9800 });
    const { text, missing } = added(MANIFEST, car("new", "rome"), roof);
    expect(missing).to.equal(4);
    const { sites } = parseManifest(text, FILE);
    expect(sites.map((site) => [site.id, site.solar])).to.deep.equal([
      ["berlin", undefined],
      ["paris", false],
      ["rome", undefined],
    ]);
    expect(text).to.match(/ {4}# \w.*\n[\s\S]* {4}solar: false\n {4}inverters:\n {6}roof:\n/);
    expect(isSubsequence(lines(MANIFEST), lines(text))).to.equal(true);
  });

  it("names its business if the place has another, and has it in its name if its id is a name already", () => {
    const { text } = added(MANIFEST, car("van", "berlin", "other"), car("new", "paris", "other"));
    const [berlin, paris] = parseManifest(text, FILE).sites;
    expect(berlin?.vehicles?.["other-van"]).to.include({ deviceId: "van", businessId: "other" });
    expect(paris?.vehicles?.new).to.include({ deviceId: "new", businessId: "other" });
  });

  it("keeps a solar site unchanged, and names the values that would be set there", () => {
    const solar = MANIFEST.replace("    vehicles:", "    solar: true\n    vehicles:");
    const { text, warnings } = added(solar, car("new", "berlin"), adopted(vehicle, "mute", "berlin", FULL));
    expect(text).to.match(/^ {8}# .*policy/m);
    expectLike(warnings, ["…policy …1 vehicle ('mute')…"]);
    expect(text).to.match(/^ {8}# .*leaves the vehicle out/m);
    // The defaults declare what the car does not report.
    const full = solar.replace(
      "sites:",
      "defaults: { vehicle: { maxCapacity: 60 kWh, maxChargePower: 11 kW } }\nsites:",
    );
    expectLike(added(full, adopted(vehicle, "mute", "berlin", {})).warnings, ["…maxCapacity (1)…", "…('mute')…"]);
    const own = full.replace("vehicle: {", "vehicle: { policy: CHARGE BY,");
    expectLike(added(own, adopted(vehicle, "mute", "berlin", {})).warnings, ["…maxCapacity (1)…"]);
  });

  it("warns that a device with gaps makes a solar site not ready, and that a preview then fails", () => {
    const solar = MANIFEST.replace("    vehicles:", "    solar: true\n    vehicles:");
    const roof = adopted(inverter, "roof", "berlin", { peakPower: 9800 });
    expectLike(added(solar, roof, car("new", "berlin")).warnings, ["…'berlin' ('roof')"]);
    const strict = solar.replace("solar: true", "solar: true\n    requireReady: true");
    expectLike(added(strict, roof).warnings, ["…'berlin' ('roof'). …requireReady"]);
  });

  const roof = (deviceId: string, site: string) => adopted(inverter, deviceId, site, { peakPower: 9800 });
  const givenSite = (device: Adopted, ofSite: Adopted["ofSite"]): Adopted => ({ ...device, ...(ofSite && { ofSite }) });

  it("makes new sites with inverters solar if asked: they set the policy of their cars", () => {
    const devices = [
      car("a", "oslo"),
      roof("b", "oslo"),
      car("c", "rome"),
      { ...car("d", "oslo"), settings: { policy: "CHARGE BY" } },
    ];
    const { text, warnings } = newManifest("acme", "acme", devices, { solar: true });
    const [oslo, rome] = parseManifest(text, FILE).sites;
    expect([oslo, rome].map((site) => site && isSolarManifestSite(site))).to.deep.equal([true, false]);
    expect(oslo?.vehicles?.a).to.not.have.property("policy");
    expect(oslo?.vehicles?.d?.policy).to.equal("CHARGE BY");
    // Its inverter may be missing because its row was wrong.
    expect(rome?.vehicles?.c).to.not.have.property("policy");
    expectLike(warnings, ["…policy …1 vehicle ('a')…", "…'oslo' ('b')"]);
    expect(text).to.not.match(/policy is not reported|solar:/);
  });

  it("makes a site solar that the list or the manifest's default makes so, and no other", () => {
    const list = [
      givenSite(roof("a", "oslo"), { solar: true, title: "Oslo 1", latitude: 59.9, labels: ["north"] }),
      givenSite(car("b", "oslo"), { solar: true }),
      givenSite(roof("c", "rome"), { solar: false }),
    ];
    const made = parseManifest(newManifest("acme", "acme", list, { solar: true }).text, FILE).sites;
    expect(made[0]?.vehicles?.b).to.not.have.property("policy");
    expect(made.map(({ vehicles, inverters, ...site }) => site)).to.deep.equal([
      { id: "oslo", businessId: "acme", title: "Oslo 1", latitude: 59.9, labels: ["north"], solar: true },
      { id: "rome", businessId: "acme", solar: false },
    ]);
    const unasked = newManifest("acme", "acme", list, {});
    expect(parseManifest(unasked.text, FILE).sites).to.deep.equal(made);
    // The site of the list is new, so the manifest keeps nothing of its own.
    expect(unasked.warnings.filter((warning) => warning.includes("its own values"))).to.deep.equal([]);
    const not = MANIFEST.replace("sites:", "defaults: { solar: false }\nsites:");
    const asked = addDevices(
      { file: FILE, text: not, manifest: parseManifest(not, FILE) },
      "acme",
      [roof("x", "lima")],
      {
        solar: true,
      },
    );
    expect(parseManifest(asked.text, FILE).sites.at(-1)).to.include({ id: "lima", solar: true });
    expect(added(not, roof("x", "lima")).text).to.not.contain("solar: false # ");
    const text = MANIFEST.replace("sites:", "defaults: { solar: true }\nsites:");
    const sites = parseManifest(added(text, roof("x", "lima"), car("y", "lima"), car("z", "cork")).text, FILE).sites;
    expect(sites.slice(2).map(({ id, vehicles }) => [id, Object.values(vehicles ?? {})[0]?.policy])).to.deep.equal([
      ["lima", undefined],
      ["cork", undefined],
    ]);
  });

  it("writes the policies of cars whose site is not to be solar, also if asked to make sites solar", () => {
    const oslo = givenSite(car("a", "oslo"), { solar: false });
    const policyIn = (text: string, name: string) =>
      parseManifest(text, FILE).sites.flatMap(({ vehicles }) => vehicles?.[name]?.policy ?? []);
    expect(policyIn(newManifest("acme", "acme", [oslo], { solar: true }).text, "a")).to.deep.equal(["CHARGE BY"]);
    const text = MANIFEST.replace("    vehicles:", "    solar: false\n    vehicles:");
    const given = { file: FILE, text, manifest: parseManifest(text, FILE) };
    const { text: both } = addDevices(given, "acme", [oslo, car("b", "berlin"), car("c", "paris")], { solar: true });
    expect(["a", "b", "c"].map((name) => policyIn(both, name))).to.deep.equal([["CHARGE BY"], ["CHARGE BY"], []]);
  });

  it("names the cars whose policy leaves them out of a site that becomes solar", () => {
    const given = { file: FILE, text: MANIFEST, manifest: parseManifest(MANIFEST, FILE) };
    const { warnings } = addDevices(given, "acme", [roof("x", "paris"), roof("y", "berlin")], { solar: true });
    expectLike(warnings, ["…: 'bus'. …policy…", "…'paris' ('x'), 'berlin' ('y')"]);
    expectLike(addDevices(given, "acme", [roof("x", "paris")], {}).warnings, []);
    expectLike(addDevices(given, "acme", [roof("x", "berlin"), car("y", "paris")], { solar: true }).warnings, [
      "…'berlin' ('x')",
    ]);
  });

  it("keeps the solar of a site that the manifest has, and says so", () => {
    const text = MANIFEST.replace("    vehicles:", "    solar: false\n    vehicles:");
    const { warnings } = added(text, givenSite(car("new", "berlin"), { solar: true }));
    expectLike(warnings, ["…'berlin'"]);
    expect(added(text, givenSite(car("new", "berlin"), { solar: false, title: "B" })).warnings).to.deep.equal([]);
  });

  it("has onDelete of the list", () => {
    const { text } = newManifest("acme", "acme", [{ ...car("a", "oslo"), onDelete: "restore" }], {});
    expect(parseManifest(text, FILE).sites[0]?.vehicles?.a?.onDelete).to.equal("restore");
  });

  const DEFAULTS = `fleet: acme
businessId: acme
defaults:
  vehicle: { maxChargePower: 11 kW, policy: CHARGE BY FORECAST }
  inverter: { tilt: 30, cutInThreshold: 6 kW }
sites:
  berlin:
    defaults:
      inverter: { tilt: 20, azimuth: S }
    vehicles:
      van:
        deviceId: van
`;
  const half = adopted(vehicle, "half", "berlin", { maxCapacity: 60_000, policy: "CHARGE" });

  it("names each setting that a default declares, and warns that it is sent", () => {
    const roof = adopted(inverter, "roof", "berlin", { peakPower: 9800, cutInThreshold: 50 });
    const { text, missing, warnings } = added(DEFAULTS, car("new", "rome"), half, roof);
    expect(text).to.match(/# maxChargePower .*; .*default, 11 kW\n/);
    expect(text).to.match(/# policy .*; .*default, CHARGE BY FORECAST\n/);
    expect(text).to.match(/# tilt .*; .*default, 20°\n/);
    expect(text).to.match(/# azimuth .*; .*default, 180°/);
    expect(text).to.match(/# baseLoad (?!.*default)/);
    expect(missing).to.equal(1);
    expect(warnings.at(-1)).to.match(
      /^settings .* by 2 .*devices: maxChargePower \(1\), policy \(1\), azimuth \(1\), tilt \(1\)\. /,
    );
    expect(added(DEFAULTS, car("new", "rome")).warnings).to.deep.equal([]);
  });

  it("leaves out a device that the defaults do not fit, and names those defaults", () => {
    const small = adopted(inverter, "small", "berlin", { peakPower: 5000 });
    const { text, written, misfits } = added(DEFAULTS, small, half);
    expect(written.map(({ deviceId }) => deviceId)).to.deep.equal(["half"]);
    expect(text).to.contain("half").and.not.contain("small");
    expectLike(
      misfits.map(({ reason }) => reason),
      ["…'small'…: cutInThreshold: … peakPower (5 kW), … 6 kW…"],
    );
  });

  it("ends its lines like the others, also after a line without an end", () => {
    const windows = MANIFEST.replace("# The end.\n", "").trimEnd().replaceAll("\n", "\r\n");
    const { text } = added(windows, car("new", "paris"));
    expect(text).to.match(/policy: CHARGE BY\r\n {6}new:\r\n/);
    expect(text.replaceAll("\r\n", "")).to.not.contain("\n");
  });

  it("is added to a manifest whose devices share values by an alias", () => {
    const text =
      "fleet: a\nsites:\n  paris:\n    vehicles:\n      a: &a { deviceId: a, maxCapacity: 77 kWh }\n      b: { <<: *a, deviceId: b }\n";
    const after = added(text, car("new", "paris")).text;
    expect(after.startsWith(text)).to.equal(true);
    expect(Object.keys(parseManifest(after, FILE).sites[0]?.vehicles ?? {})).to.deep.equal(["a", "b", "new"]);
  });

  const unfit: Record<string, [text: string, what: RegExp]> = {
    "vehicles in braces": [
      "fleet: a\nsites:\n  paris:\n    vehicles: { a: { deviceId: a } }\n",
      /vehicles \w+ site 'paris'/,
    ],
    "a site in braces": ["fleet: a\nsites:\n  paris: { vehicles: {} }\n", /site 'paris'/],
    "no sites": ["fleet: a\nsites: {}\n", / sites .*--output/],
    JSON: ['{"fleet":"a","sites":{"paris":{"solar":false}}}', / sites .*--output/],
    "an alias for a site": ["fleet: a\nsites:\n  rome: &a { solar: true }\n  paris: *a\n", /site 'paris'/],
    "a site that another one repeats": ["fleet: a\nsites:\n  paris: &a\n    solar: true\n  rome: *a\n", /site 'paris'/],
    "vehicles that are merged into the site": [
      "fleet: a\nsites:\n  paris:\n    <<: { vehicles: { bus: { deviceId: bus } } }\n    solar: false\n",
      /vehicles \w+ site 'paris'/,
    ],
  };
  for (const [what, [text, reason]] of Object.entries(unfit)) {
    it(`is refused for ${what}`, () => {
      expect(() => added(text, car("new", "paris"))).to.throw(Error, reason);
    });
  }

  it("is all that changes, whatever the manifest and its layout", () => {
    const anyAdopted = fc
      .record({
        kind: fc.constantFrom<DeviceKind>(vehicle, inverter),
        id: anyId,
        site: fc.constantFrom("a", "b", "c", "d"),
      })
      .chain((one) => someValues(one.kind).map((values) => ({ ...one, values })));
    const some = fc.uniqueArray(anyAdopted, { minLength: 1, maxLength: 8, selector: ({ id }) => id });
    const layout = fc.record({ indent: fc.constantFrom(2, 3, 4) });
    fc.assert(
      fc.property(some, fc.nat(), layout, fc.boolean(), (all, nth, form, isWritten) => {
        const devices = all.map(({ kind, id, site, values }) => adopted(kind, id, site, values));
        const split = 1 + (nth % devices.length);
        const first = newManifest("acme", "acme", devices.slice(0, split), {}).text;
        const text = isWritten ? first : stringify(parse(first, { stringKeys: true }), { ...form, lineWidth: 0 });
        const rest = devices.slice(split);
        if (rest.length === 0) return;
        const after = added(text, ...rest).text;
        expect(isSubsequence(lines(text), lines(after))).to.equal(true);
        const whole = parseManifest(newManifest("acme", "acme", devices, {}).text, FILE);
        expect(byDevice(parseManifest(after, FILE))).to.deep.equal(byDevice(whole));
      }),
    );
  });
});
