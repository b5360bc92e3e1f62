import { expect } from "chai";
import fc from "fast-check";
import { stringify } from "yaml";
import { planOf } from "../../../cli/stacks/plan";
import { parseManifest, toManifest } from "../../../provider/manifest/manifest";
import type { Manifest, Site } from "../../../provider/manifest/model";
import { shardName } from "../../../provider/manifest/model";
import { LINT_CODES } from "../../../provider/messages/codes";
import type { FleetManifest } from "../../../provider/resources/fleetManifest";
import { inverter } from "../../../provider/settings/inverter";
import { problemsOf } from "../../../provider/settings/schema";
import type { DeviceKind } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { used } from "../../cli/fleet/fleets";
import { anyId, someValues } from "../../support/arbitraries";

const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

function anyDevice(kind: DeviceKind) {
  const values = someValues(kind).filter(
    (some) => problemsOf(kind, { deviceId: "any", businessId: "any", ...some }, new Set()).length === 0,
  );
  const others = fc.record({
    deviceId: anyId,
    businessId: maybe(anyId),
    onDelete: maybe(fc.constantFrom("retain", "restore")),
    ignoreLints: maybe(fc.uniqueArray(fc.constantFrom(...LINT_CODES), { minLength: 1 })),
  });
  return fc.tuple(others, values).map(([device, some]) => ({ ...device, ...some }));
}

const anySite = fc
  .record({
    latitude: maybe(fc.integer({ min: -90, max: 90 })),
    solar: maybe(fc.boolean()),
    requireReady: maybe(fc.boolean()),
    vehicles: fc.array(anyDevice(vehicle), { maxLength: 3 }),
    inverters: fc.array(anyDevice(inverter), { maxLength: 3 }),
  })
  // A table has no row for a site without devices.
  .filter(({ vehicles, inverters }) => vehicles.length + inverters.length > 0);

const anySiteId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._]{0,9}$/);

/** A fleet that declares every device once. Keys without a value are absent. */
const anyFleet: fc.Arbitrary<FleetManifest> = fc
  .record({
    shards: maybe(fc.integer({ min: 1, max: 50 })),
    sites: fc.uniqueArray(fc.tuple(anySiteId, anySite), { minLength: 1, maxLength: 6, selector: ([id]) => id }),
  })
  .map(({ shards, sites }) => {
    let nth = 0;
    const named = <T extends { deviceId: string }>(devices: readonly T[]) =>
      Object.fromEntries(devices.map((device) => [`n${nth}`, { ...device, deviceId: `${device.deviceId}${nth++}` }]));
    const ofSites = sites.map(([id, { vehicles, inverters, ...site }]) => [
      id,
      {
        ...site,
        ...(vehicles.length > 0 && { vehicles: named(vehicles) }),
        ...(inverters.length > 0 && { inverters: named(inverters) }),
      },
    ]);
    return JSON.parse(JSON.stringify({ fleet: "acme", shards, sites: Object.fromEntries(ofSites) }));
  });

/** A fleet by the ids of its sites. */
function byId({ sites, ...fleet }: Manifest) {
  return { ...fleet, sites: Object.fromEntries(sites.map((site) => [site.id, site])) };
}

/** The entries of an object, in another order. */
const shuffled = <T extends object>(all: T): fc.Arbitrary<T> =>
  fc
    .shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length })
    .map((entries) => Object.fromEntries(entries) as T);

const anyFleetInTwoOrders = anyFleet.chain((fleet) =>
  shuffled(fleet.sites).chain((sites) => {
    const inOrder = Object.entries(sites).map(([id, site]) =>
      fc
        .tuple(shuffled(site.vehicles ?? {}), shuffled(site.inverters ?? {}))
        .map(([vehicles, inverters]) => [
          id,
          { ...site, ...(site.vehicles && { vehicles }), ...(site.inverters && { inverters }) },
        ]),
    );
    return fc.tuple(fc.constant(fleet), fc.tuple(...inOrder).map(Object.fromEntries));
  }),
);

/** The stacks of each site. @param existing stacks of the fleet */
function stacksOf(fleet: Manifest, existing: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { name, sites } of planOf(fleet, used(...existing)).stacks)
    for (const { id } of sites) found[id] = [...(found[id] ?? []), name];
  return found;
}

describe("a manifest: laws of a fleet", () => {
  it("is the same fleet in YAML and JSON", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const expected = toManifest(fleet);
        expect(parseManifest(stringify(fleet), "acme.yaml")).to.deep.equal(expected);
        expect(parseManifest(JSON.stringify(fleet), "acme.json")).to.deep.equal(expected);
      }),
    );
  });

  it("is the same fleet in the same stacks, in whatever order its sites and devices are", () => {
    fc.assert(
      fc.property(anyFleetInTwoOrders, ([fleet, sites]) => {
        const [one, other] = [toManifest(fleet), toManifest({ ...fleet, sites })];
        expect(byId(other)).to.deep.equal(byId(one));
        expect(stacksOf(other, [])).to.deep.equal(stacksOf(one, []));
      }),
    );
  });

  it("has each site, whole, in one stack, where it stays when others come and go", () => {
    fc.assert(
      fc.property(anyFleet, fc.integer({ min: 1, max: 50 }), fc.nat(), (fleet, number, nth) => {
        const all = toManifest(fleet);
        const existing = [shardName(1, all.shards ?? number)];
        const stacks = stacksOf(all, existing);
        for (const { id } of all.sites) expect(stacks[id]).to.have.length(1);
        const whole = planOf(all, used(...existing)).stacks.flatMap(({ sites }): readonly Site[] => sites);
        expect(whole).to.have.members(all.sites);

        const gone = all.sites[nth % all.sites.length]?.id as string;
        const rest = all.sites.filter(({ id }) => id !== gone);
        if (rest.length === 0) return;
        const { [gone]: _, ...staying } = stacks;
        expect(stacksOf({ ...all, sites: rest }, existing)).to.deep.equal(staying);
      }),
    );
  });
});
