import { expect } from "chai";
import fc from "fast-check";
import { toManifest } from "../../../provider/manifest/manifest";
import { written } from "../../../provider/manifest/written";
import { inverter } from "../../../provider/settings/inverter";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { someValues } from "../../support/arbitraries";

/** Devices by name, with what can be declared of one; their ids are unique within the fleet. */
function devices(kind: DeviceKind, site: number): fc.Arbitrary<object> {
  const isAccepted = ({ cutInThreshold = 0, peakPower = 1_000_000 }: Values) => cutInThreshold < peakPower;
  const declared = fc
    .tuple(
      someValues(kind).filter(isAccepted),
      fc.record(
        {
          businessId: fc.constantFrom("acme", "other"),
          onDelete: fc.constantFrom("retain", "restore"),
          ignoreLints: fc.constant([]),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([values, about]) => ({ ...values, ...about }));
  const observed = fc.constant({ observe: true });
  return fc
    .array(fc.oneof(declared, observed), { maxLength: 3 })
    .map((all) =>
      Object.fromEntries(
        all.map((device, index) => [`${index}`, { deviceId: `${kind.name}-${site}-${index}`, ...device }]),
      ),
    );
}

const anySite = fc.nat(1000).chain((number) =>
  fc
    .record(
      {
        latitude: fc.integer({ min: -90, max: 90 }),
        solar: fc.boolean(),
        requireReady: fc.boolean(),
        businessId: fc.constantFrom("acme", "other"),
        onDelete: fc.constantFrom("retain", "restore"),
        ignoreLints: fc.constant(["default-power"]),
        vehicles: devices(vehicle, number),
        inverters: devices(inverter, number),
      },
      { requiredKeys: [] },
    )
    .map((site) => [`site-${number}`, site] as const),
);

const anyFleet = fc.record(
  {
    fleet: fc.constant("acme"),
    shards: fc.integer({ min: 1, max: 100 }),
    sites: fc
      .uniqueArray(anySite, { minLength: 1, maxLength: 4, selector: ([id]) => id })
      .map((sites) => Object.fromEntries(sites)),
  },
  { requiredKeys: ["fleet", "sites"] },
);

describe("a manifest that is written", () => {
  it("declares the fleet that it was written from", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const manifest = toManifest(fleet);
        expect(toManifest(JSON.parse(JSON.stringify(written(manifest))))).to.deep.equal(manifest);
      }),
    );
  });
});
