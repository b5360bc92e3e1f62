import { expect } from "chai";
import fc from "fast-check";
import { toManifest } from "../../../provider/manifest/manifest";
import { shardOf } from "../../../provider/manifest/model";
import { keepsDrift } from "../../../provider/settings/declaration";
import { declaredSite } from "../../../provider/settings/planSite";
import { readQuantity, unitsOf } from "../../../provider/settings/quantity";
import { patternOf } from "../../../scripts/manifestSchema";

const MEASURES = [{ unit: "Wh" }, { unit: "W" }, { unit: "W", isPeakPower: true }, { unit: "degrees" }] as const;

describe("a manifest: laws", () => {
  // Up to a thousand MWh, a thousand times the largest value of any setting.
  it("a number of thousandths of a unit is read as exactly that many", () => {
    const anyMeasure = fc.constantFrom(...MEASURES);
    fc.assert(
      fc.property(
        anyMeasure,
        fc.nat(),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom("", " ", "\u00a0"),
        (measure, nth, whole, space) => {
          const units = Object.entries(unitsOf(measure));
          const [name, factor] = units[nth % units.length] as [string, number];
          const text = `${whole / 1000}${space}${name}`;
          expect(readQuantity(measure, text)).to.deep.equal({ value: (whole * factor) / 1000 });
          expect(text).to.match(new RegExp(patternOf(measure)));
        },
      ),
    );
  });

  it("what the pattern for editors refuses cannot be read, and the other way round", () => {
    const part = fc.constantFrom(" ", ..."7 1.5 .5 1. ,5 - + k K M m W w h p ° deg DEGREES e3".split(" "));
    const anyText = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.constantFrom(...MEASURES), anyText, (measure, text) => {
        const trimmed = text.trim();
        expect("value" in readQuantity(measure, trimmed)).to.equal(new RegExp(patternOf(measure)).test(trimmed));
      }),
      { numRuns: 2000 },
    );
  });

  it("a setting: device overrides site, site overrides fleet", () => {
    const anyTilt = fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined });
    fc.assert(
      fc.property(anyTilt, anyTilt, anyTilt, (ofDevice, ofSite, ofFleet) => {
        const say = (tilt: number | undefined) => (tilt === undefined ? {} : { tilt });
        const inverters = { d: { deviceId: "d", ...say(ofDevice) } };
        const site = { defaults: { inverter: say(ofSite) }, inverters };
        const fleet = toManifest({ fleet: "f", defaults: { inverter: say(ofFleet) }, sites: { site } });
        expect(fleet.sites[0]?.inverters?.d).to.deep.equal({ deviceId: "d", ...say(ofDevice ?? ofSite ?? ofFleet) });
      }),
    );
  });

  it("what a delete does: device overrides the defaults of its site, these the site, the site the defaults of the fleet", () => {
    const anyChoice = fc.option(fc.constantFrom("retain", "restore", "reset"), { nil: undefined });
    fc.assert(
      fc.property(anyChoice, anyChoice, anyChoice, anyChoice, (ofDevice, ofDefaults, ofSite, ofFleet) => {
        const say = (onDelete: string | undefined) => (onDelete === undefined ? {} : { onDelete });
        const vehicles = { d: { deviceId: "d", ...say(ofDevice) } };
        const site = { defaults: { vehicle: say(ofDefaults) }, vehicles, ...say(ofSite) };
        const [made] = toManifest({ fleet: "f", defaults: { vehicle: say(ofFleet) }, sites: { site } }).sites;
        // The same order of precedence as in a SiteSettings.
        expect(made?.vehicles?.d?.onDelete ?? made?.onDelete).to.equal(ofDevice ?? ofDefaults ?? ofSite ?? ofFleet);
      }),
    );
  });

  it("the answer to drift: as for a delete; answers by setting go over those of the outer place", () => {
    const anyAnswer = fc.option(fc.constantFrom("repair", "keep", { policy: "keep" }, { maxCapacity: "keep" }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(anyAnswer, anyAnswer, anyAnswer, anyAnswer, (ofDevice, ofDefaults, ofSite, ofFleet) => {
        const say = (onDrift: unknown) => (onDrift === undefined ? {} : { onDrift });
        const vehicles = { d: { deviceId: "d", ...say(ofDevice) } };
        const site = { defaults: { vehicle: say(ofDefaults) }, vehicles, ...say(ofSite) };
        const [made] = toManifest({ fleet: "f", defaults: { vehicle: say(ofFleet) }, sites: { site } }).sites;
        const [device] = declaredSite({ ...made }).devices;
        // The site's own answer replaces the fleet's default.
        const outer = ofSite === undefined ? [ofFleet] : [ofSite];
        for (const key of ["policy", "maxCapacity", "maxChargePower"]) {
          const answers = [ofDevice, ofDefaults, ...outer].map((one) =>
            typeof one === "string" ? one : (one as Record<string, string> | undefined)?.[key],
          );
          const isKept = answers.find((one) => one !== undefined) === "keep";
          expect(keepsDrift(device ?? {}, key), key).to.equal(isKept);
        }
      }),
    );
  });

  it("a site is in one of the shards, and which one depends on its id alone", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1000 }), (id, shards) => {
        expect(shardOf(id, shards)).to.be.within(1, shards);
        expect(shardOf(id, shards)).to.equal(shardOf(id, shards));
      }),
    );
  });
});
