import { expect } from "chai";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { addDevices, devicesOf } from "../../../cli/adopt/addition";
import { manifestText } from "../../../cli/adopt/manifestText";
import type { Adopted } from "../../../cli/adopt/nodes";
import { parseManifest } from "../../../provider/manifest/manifest";
import type { Manifest } from "../../../provider/manifest/model";
import { inverter } from "../../../provider/settings/inverter";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyId, someValues } from "../../support/arbitraries";

const FILE = "fleet.yaml";
const adopted = (kind: DeviceKind, deviceId: string, site: string, reported: Values, businessId = "acme"): Adopted => ({
  device: { deviceId, businessId, site, place: "test" },
  kind,
  reading: { deviceId, businessId, reported },
});
const car = (deviceId: string, site: string, businessId?: string) =>
  adopted(vehicle, deviceId, site, { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY" }, businessId);
const added = (text: string, ...devices: Adopted[]) =>
  addDevices({ file: FILE, text, manifest: parseManifest(text, FILE) }, "acme", devices);
const lines = (text: string) => text.split("\n");
const memberLines = (deviceId: string, indent: string) =>
  lines(`- deviceId: ${deviceId}\n  maxCapacity: 60000\n  maxChargePower: 11000\n  policy: CHARGE BY`).map(
    (line) => indent + line,
  );

const MANIFEST = `# Ours.
fleet: acme
businessId:   acme
sites:
  - id: berlin   # the yard
    vehicles:
      - {deviceId: van,   maxCapacity: 77 kWh}
      - deviceId: car
        maxCapacity: 60 kWh # as measured
        # maxChargePower is not reported

  # The other one.
  - id: paris
    vehicles:
    - deviceId: bus
      policy: CHARGE BY
# The end.
`;

/** What is declared of each device, and where. */
function byDevice({ sites }: Manifest) {
  return new Map(
    sites.flatMap(({ id, isSolar, vehicles, inverters }) =>
      [...vehicles, ...inverters].map((member) => [member.deviceId, { site: id, isSolar, ...member }] as const),
    ),
  );
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === some[found]) found++;
  return found === some.length;
}

describe("adopt: what is added to a manifest", () => {
  it("is put behind the last device of its site, and no other line changes", () => {
    const before = lines(MANIFEST);
    const after = lines(added(MANIFEST, car("new", "berlin"), car("other", "paris")).text);
    const expected = [...before];
    expected.splice(16, 0, ...memberLines("other", "    "));
    expected.splice(10, 0, ...memberLines("new", "      "));
    expect(after).to.deep.equal(expected);
  });

  it("is put into a site of its own, and into lists that its site has not had", () => {
    const roof = adopted(inverter, "roof", "paris", { peakPower: 9800 });
    const { text, missing } = added(MANIFEST, car("new", "rome"), roof);
    expect(missing).to.equal(4);
    const { sites } = parseManifest(text, FILE);
    expect(sites.map(({ id, isSolar }) => [id, isSolar])).to.deep.equal([
      ["berlin", false],
      ["paris", false],
      ["rome", false],
    ]);
    expect(text).to.contain("    # Nothing changes by the adoption.");
    expect(text).to.match(/policy: CHARGE BY\n {4}# Nothing changes[\s\S]* {4}solar: false\n {4}inverters:\n {6}- dev/);
    expect(text.endsWith("        policy: CHARGE BY\n# The end.\n")).to.equal(true);
  });

  it("has the name of its business where the place has another, or its id is taken", () => {
    const { text } = added(MANIFEST, car("car", "berlin", "other"), car("new", "paris", "other"));
    const [berlin, paris] = parseManifest(text, FILE).sites;
    expect(berlin?.vehicles.at(-1)).to.include({ name: "other-car", deviceId: "car", businessId: "other" });
    expect(paris?.vehicles.at(-1)).to.include({ name: "new", businessId: "other" });
  });

  it("has a name where its id has an asterisk, which no name can have", () => {
    const { text } = added(MANIFEST, car("van-*", "berlin"), car("*", "paris", "other"), car("*", "paris"));
    const names = parseManifest(text, FILE).sites.map(({ vehicles }) => vehicles.slice(-2).map(({ name }) => name));
    expect(names).to.deep.equal([
      ["car", "van-_"],
      ["other-_", "acme-_"],
    ]);
  });

  it("keeps a solar site as it is, and says what would be set there", () => {
    const solar = MANIFEST.replace("    vehicles:", "    solar: true\n    vehicles:");
    const { text, warnings } = added(solar, car("new", "berlin"), adopted(vehicle, "mute", "berlin", {}));
    expect(text).to.contain("        # policy leaves the vehicle out of the site's readiness; take it out");
    expect(warnings).to.deep.equal([
      "device 'mute' shows no policy, and site 'berlin', which is solar, sets it: look at a preview",
    ]);
  });

  it("ends its lines as the others end, also behind one that has none", () => {
    const windows = MANIFEST.replace("# The end.\n", "").trimEnd().replaceAll("\n", "\r\n");
    const { text } = added(windows, car("new", "paris"));
    expect(text).to.match(/policy: CHARGE BY\r\n {4}- deviceId: new\r\n/);
    expect(text.replaceAll("\r\n", "")).to.not.contain("\n");
  });

  const unfit: Record<string, [text: string, what: RegExp]> = {
    "a flow list": [
      MANIFEST.replace(/vehicles:\n {4}- dev[\s\S]*/, "vehicles: [{ deviceId: bus }]\n"),
      /vehicles of site 'paris'/,
    ],
    "a flow site": ["fleet: a\nsites:\n  - { id: paris }\n", /site 'paris'/],
    JSON: [`{"fleet":"a","sites":[{"id":"paris"}]}`, /sites as/],
    "a key that is merged into the site": [
      "fleet: a\nsites:\n  - &a\n    id: x\n    solar: true\n  - <<: *a\n    id: paris\n    vehicles:\n      - deviceId: bus\n",
      /a merge \(<<\) or an alias/,
    ],
  };
  for (const [what, [text, reason]] of Object.entries(unfit)) {
    it(`is refused for ${what}`, () => {
      const roof = adopted(inverter, "roof", "paris", {});
      expect(() => added(text, car("new", "paris"), roof)).to.throw(Error, reason);
    });
  }

  it("is found by its business too", () => {
    const { text } = manifestText("fleet", undefined, [car("a", "x"), car("b", "x", "other")]);
    expect(devicesOf(parseManifest(text, FILE), "acme")).to.deep.equal(new Set(['["acme","a"]', '["other","b"]']));
    const bare = parseManifest("fleet: a\nsites: [{ id: x, vehicles: [{ deviceId: a }] }]", FILE);
    expect(devicesOf(bare, "acme")).to.deep.equal(new Set(['["acme","a"]']));
  });

  it("is all that changes, whatever the manifest and its layout", () => {
    const anyAdopted = fc
      .record({
        kind: fc.constantFrom<DeviceKind>(vehicle, inverter),
        id: anyId,
        site: fc.constantFrom("a", "b", "c", "d"),
      })
      .chain((one) => someValues(one.kind).map((values) => ({ ...one, values })));
    const some = fc.uniqueArray(anyAdopted, { minLength: 1, maxLength: 8, selector: ({ id }) => id });
    const layout = fc.record({ indent: fc.constantFrom(2, 3, 4), indentSeq: fc.boolean() });
    fc.assert(
      fc.property(some, fc.nat(), layout, fc.boolean(), (all, nth, form, isWritten) => {
        const devices = all.map(({ kind, id, site, values }) => adopted(kind, id, site, values));
        const split = 1 + (nth % devices.length);
        const first = manifestText("acme", "acme", devices.slice(0, split)).text;
        const text = isWritten ? first : stringify(parse(first), { ...form, lineWidth: 0 });
        const rest = devices.slice(split);
        if (rest.length === 0) return;
        const after = added(text, ...rest).text;
        expect(isSubsequence(lines(text), lines(after))).to.equal(true);
        const whole = parseManifest(manifestText("acme", "acme", devices).text, FILE);
        expect(byDevice(parseManifest(after, FILE))).to.deep.equal(byDevice(whole));
      }),
    );
  });
});
