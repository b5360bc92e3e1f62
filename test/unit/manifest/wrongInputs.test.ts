import { expect } from "chai";
import { parseManifest } from "../../../provider/manifest/manifest";
import { ManifestError } from "../../../provider/manifest/report";
import { manifestSchema } from "../../../scripts/manifestSchema";
import { PublishedTypes } from "../../../scripts/published";
import { expectFacts } from "../../support/facts";
import { thrownBy } from "../../support/failure";
import { ROOT } from "../../support/project";
import { type Place, WRONG_INPUTS, wrongManifest } from "./wrongInputs";

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

const { properties } = manifestSchema(new PublishedTypes(ROOT)) as unknown as Schema;
const ofSite = ((properties.sites as Schema).additionalProperties as Schema).properties;

/** Keys that most objects can have. A reader need not see them in a list of keys. */
const SHARED = ["$schema", "deviceId", "businessId", "onDelete", "onDrift", "ignoreLints", "observe"];

/** The texts that a reader can write in the place of a mistake: choices for a key that exists, otherwise other keys. */
function writable(place: Place, written: string): string[] {
  const [key = ""] = written.split(":");
  const schema = KEYS[place][key];
  if (!schema) return Object.keys(KEYS[place]).filter((one) => !SHARED.includes(one) && !GIVEN[place].includes(one));
  if (schema.type === "boolean") return ["true", "false"];
  if (key === "azimuth") return ["180", "SSW"];
  const [first] = (schema.anyOf ?? []) as Schema[];
  return (schema.enum ?? first?.enum) as string[];
}

/** Keys that the manifest with the mistake has already. */
const GIVEN: Readonly<Record<Place, readonly string[]>> = {
  car: [],
  roof: [],
  plane: ["peakPower", "azimuth", "tilt"],
  site: [],
  fleet: ["fleet", "sites"],
  // A wave has one of sites, labels and share.
  wave: ["sites", "labels", "share"],
};

const ofDevice = (group: "vehicles" | "inverters") => {
  const { anyOf } = (ofSite[group] as Schema).additionalProperties as { anyOf: readonly Schema[] };
  return (anyOf.find(({ properties: own }) => "onDelete" in own) as Schema).properties;
};
const itemsOf = (keys: Schema["properties"], key: string) => ((keys[key] as Schema).items as Schema).properties;
const KEYS: Readonly<Record<Place, Schema["properties"]>> = {
  car: ofDevice("vehicles"),
  roof: ofDevice("inverters"),
  plane: itemsOf(ofDevice("inverters"), "planes"),
  site: ofSite,
  fleet: properties,
  wave: itemsOf((properties.rollout as Schema).properties, "waves"),
};

describe("what people write wrong", () => {
  it("has a hundred mistakes, each once", () => {
    expect(new Set(WRONG_INPUTS.map(String)).size)
      .to.equal(WRONG_INPUTS.length)
      .and.to.be.at.least(100);
  });

  for (const wrong of WRONG_INPUTS) {
    const [place, written, next] = wrong;
    it(`${place}, "${written}", is refused at its place, and leads to ${next ?? "all that may be written"}`, () => {
      const [text, file] = wrongManifest(wrong);
      const error = thrownBy(() => parseManifest(text, file));
      expect(error, error.stack).to.be.instanceOf(ManifestError);
      const { problems } = error as ManifestError;
      const [first] = problems;
      const line = text.split("\n").findIndex((one) => one.includes(written)) + 1;
      expect(first?.line).to.equal(line);
      expect(first?.column).to.be.greaterThan(0);
      const message = String(first?.message);
      if (typeof next === "string") {
        expect(message.endsWith(/^[;,]/.test(next) ? next : `did you mean ${next}?`), message).to.equal(true);
      } else {
        expectFacts(message, next ?? writable(place, written));
        expect(message).to.not.contain("?");
      }
    });
  }
});
