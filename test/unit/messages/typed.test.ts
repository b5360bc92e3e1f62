import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { parse } from "yaml";
import { isSame } from "../../../provider/lifecycle/device/record";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { parseManifest } from "../../../provider/manifest/manifest";
import { ManifestError } from "../../../provider/manifest/report";
import type { EngineRun } from "../../../provider/run";
import { inverter } from "../../../provider/settings/inverter";
import { lint } from "../../../provider/settings/lints";
import { LINTS } from "../../../provider/settings/lintTable";
import { normalize } from "../../../provider/settings/normalize";
import { isObject } from "../../../provider/settings/objects";
import { problemsOf } from "../../../provider/settings/schema";
import { type DeviceKind, keysOf, type Values } from "../../../provider/settings/setting";
import { valueInWords } from "../../../provider/settings/valueWords";
import { vehicle } from "../../../provider/settings/vehicle";
import { COMPLETE, contextOf, fleet, runOf } from "../../support/fakes";
import { ROOT } from "../../support/project";
import { WRONG_INPUTS, wrongManifest } from "../manifest/wrongInputs";
import { type Typed, typedFor } from "./typed";

/** The problems of a manifest with this entry. */
async function inManifest([place, text]: Typed): Promise<readonly string[]> {
  try {
    parseManifest(...wrongManifest([place, text, null]));
    return [];
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return error.problems.map(({ message }) => message);
  }
}

/** The arguments of the site with this entry. */
function argumentsWith([place, text]: Typed): Readonly<Record<string, unknown>> {
  const [manifest] = wrongManifest([place, text, null]);
  return parse(manifest).sites.b;
}

/** The problems of a program with this entry, in any language. */
async function inProgram(typed: Typed): Promise<readonly string[]> {
  const { check } = siteOperations(() => runOf(COMPLETE, fleet()) as EngineRun);
  const { problems } = await check(
    contextOf("urn:pulumi:dev::home::solar-charging:index:SiteSettings::b"),
    {},
    argumentsWith(typed),
  );
  return problems.map(({ reason }) => reason);
}

/** A type in the schema of the package, as far as inputs use it. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly { readonly value: string }[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
const { types, resources } = JSON.parse(readFileSync(join(ROOT, "schema", "package.schema.json"), "utf8"));
const SITE: Schema = { properties: resources["solar-charging:index:SiteSettings"].inputProperties };

/** Whether the languages of the package accept a value of this type. */
function fits(value: unknown, schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const { $ref, oneOf, type, items, additionalProperties, enum: choices, properties } = schema;
  if ($ref) return fits(value, types[$ref.replace("#/types/", "")]);
  if (oneOf) return oneOf.some((one) => fits(value, one));
  if (choices) return choices.some((one) => one.value === value);
  if (type === "array") return Array.isArray(value) && value.every((one) => fits(one, items));
  if (!properties && !additionalProperties) return typeof value === type;
  return (
    isObject(value) && Object.entries(value).every(([key, one]) => fits(one, properties?.[key] ?? additionalProperties))
  );
}

const fitsPackage = (typed: Typed) => fits(argumentsWith(typed), SITE);

/** Keys that only a manifest has, and one that these sites without devices cannot have. */
const NOT_IN_PROGRAMS = /^(labels?|tags|region|defauls|token|requireReady)\b/;
const IN_PROGRAMS = WRONG_INPUTS.filter(
  ([place, written]) => !["fleet", "wave"].includes(place) && !NOT_IN_PROGRAMS.test(written),
);

/** What is refused of all that the messages about an entry tell to type. */
async function refused(wrong: Typed, problemsAt: (typed: Typed) => Promise<readonly string[]>): Promise<string[]> {
  const messages = await problemsAt(wrong);
  if (messages.length === 0) return ["there is no message"];
  const all = messages.map(async (message) => {
    const typed = typedFor(...wrong, message);
    if (typed.length === 0) return [`nothing to type: ${message}`];
    const found = typed.map(async (one) => (await problemsAt(one)).map((problem) => `${one[1]}: ${problem}`));
    return (await Promise.all(found)).flat();
  });
  return (await Promise.all(all)).flat();
}

describe("what a message tells to type", () => {
  for (const [place, written] of WRONG_INPUTS) {
    it(`in place of ${JSON.stringify(written)}, is accepted in a manifest`, async () => {
      expect(await refused([place, written], inManifest)).to.deep.equal([]);
    });
  }

  for (const [place, written] of IN_PROGRAMS) {
    it(`in place of ${JSON.stringify(written)}, is accepted in programs`, async () => {
      const wrong: Typed = [place, written];
      expect(await refused(wrong, inProgram)).to.deep.equal([]);
      const typed = (await inProgram(wrong)).flatMap((message) => typedFor(...wrong, message));
      // Another language refuses other types itself, without this message.
      if (fitsPackage(wrong)) expect(typed.filter((one) => !fitsPackage(one))).to.deep.equal([]);
    });
  }

  it("in place of any text for a number, is accepted", async () => {
    const number = fc.tuple(
      fc.integer({ min: 0, max: 99_999 }),
      fc.constantFrom("", ".5", ",5", ",000", ",000,000", "000"),
    );
    const unit = fc.constantFrom("", " kWh", " Wh", " W", " kW", "kWp", "°", " %", " kVA", " MW", " h");
    const setting = fc.constantFrom(
      ...keysOf(vehicle).map((key) => ["car", key] as const),
      ...keysOf(inverter).map((key) => ["roof", key] as const),
    );
    await fc.assert(
      fc.asyncProperty(setting, number, unit, async ([place, key], [whole, rest], unitText) => {
        const wrong: Typed = [place, `${key}: "${whole}${rest}${unitText}"`];
        if ((await inManifest(wrong)).length === 0) return;
        // A message about the unit does not look at the number.
        expect((await refused(wrong, inManifest)).filter((one) => !/: must be (from|below) /.test(one))).to.deep.equal(
          [],
        );
      }),
    );
  });

  it("is the same list or group in YAML and in TypeScript", async () => {
    const messages = (await Promise.all(IN_PROGRAMS.map(([place, written]) => inProgram([place, written])))).flat();
    const texts = messages.flatMap(
      (message) => /(?:write|such as|form|mean) (?:\w+: )?(\[.*\]|\{.*\})/.exec(message)?.[1] ?? [],
    );
    const groups = texts.map((text) => text.replace(", …", "").replace("…", '"x"'));
    expect(groups).to.not.deep.equal([]);
    for (const text of groups)
      expect(new Function(`return (${text.replace("vehicle-1", '"vehicle-1"')})`)()).to.deep.equal(parse(text));
  });
});

/** A value as a person types it. */
const typedValue = (kind: DeviceKind, key: string, text: string) => normalize(kind, { [key]: text })[key];

const IDS = { deviceId: "car", businessId: "acme" };

describe("the value that a warning tells to write", () => {
  const rest = { peakPower: 5_000_000, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

  for (const [name, { of, property }] of Object.entries(LINTS)) {
    const setting = of.settings[property];
    if (setting?.type !== "number") continue;
    const { minimum, maximum } = setting;

    it(`of ${name} is a number or a text, which every language has, and is accepted`, () => {
      const near = Math.min(maximum, 100 * (minimum || 1));
      const ranges = [near, maximum].map((max) => fc.double({ min: minimum, max, noNaN: true }));
      const value = fc.oneof(...ranges, fc.constantFrom(...[1.59, maximum].filter((one) => one >= minimum)));
      fc.assert(
        fc.property(value, fc.constantFrom(48, -34), (number, latitude) => {
          const declared: Values = { ...(of === inverter && rest), [property]: number };
          const known = { unknownKeys: new Set<string>(), latitude };
          const { advice = "" } = lint(of, declared, known).find(({ code }) => code === name) ?? {};
          const [, text] = /(?:write|missing:|many:) (.+) \(switch off /.exec(advice) ?? [];
          if (text === undefined) return;
          const typed = { ...IDS, ...declared, [property]: typedValue(of, property, text) };
          expect(problemsOf(of, typed, new Set()), advice).to.deep.equal([]);
        }),
      );
    });
  }
});

describe("the value that a message tells to declare", () => {
  for (const kind of [vehicle, inverter]) {
    for (const [key, setting] of Object.entries(kind.settings)) {
      if (setting.type !== "number") continue;
      it(`is read as the value of ${key} that the service keeps`, () => {
        const { minimum: min, maximum: max } = setting;
        fc.assert(
          fc.property(
            fc.oneof(fc.integer({ min, max }), fc.double({ min: Math.max(min, 1), max, noNaN: true })),
            (value) => {
              const words = valueInWords(key, value).replace(/ \(\w+\)$/, "");
              expect(isSame(typedValue(kind, key, words), value), words).to.equal(true);
            },
          ),
        );
      });
    }
  }
});
