import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { CONFIGURATION_KEYS } from "../../../provider/configuration/configurationKeys";
import { ownPackage } from "../../../provider/engine/plugin";
import { inverter } from "../../../provider/settings/inverter";
import { keysOf } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { packageSchema as schemaOf } from "../../../scripts/packageSchema";
import { PublishedTypes } from "../../../scripts/published";
import { repositoryOf } from "../../../scripts/repository";
import { programsForSchema, rangeOf } from "../../../scripts/tables";
import { ROOT } from "../../support/project";

const types = new PublishedTypes(ROOT);
const packageSchema = (...args: Parameters<typeof schemaOf> extends [unknown, ...infer Rest] ? Rest : never) =>
  schemaOf(types, ...args);

type Schema = { readonly [key: string]: Schema };
const plain = (): Schema => JSON.parse(JSON.stringify(packageSchema(ownPackage(), programsForSchema())));

/** The value at this path. */
const at = (schema: Schema | undefined, ...path: string[]): Schema | undefined =>
  path.reduce<Schema | undefined>((value, key) => value?.[key], schema);

describe("the schema of the package", () => {
  it("is the one that is checked in: npm run schema writes it", () => {
    const file = join(resolve(__dirname, "../../../.."), "schema", "package.schema.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).to.deep.equal(plain());
  });

  for (const kind of [vehicle, inverter]) {
    it(`has every setting of ${kind.resource}, described with unit and range, also in a site`, () => {
      const ofSite = `solar-charging:index:Site${kind.name === "vehicle" ? "Vehicle" : "Inverter"}`;
      for (const [key, setting] of Object.entries(kind.settings)) {
        for (const properties of [
          at(plain(), "resources", `solar-charging:index:${kind.resource}`, "inputProperties"),
          at(plain(), "types", ofSite, "properties"),
        ]) {
          const description = String(properties?.[key]?.description);
          expect(description).to.contain(setting.description);
          if (setting.type === "number") {
            expect(description).to.contain(`in ${setting.unit}, from ${rangeOf(setting)}`);
          }
        }
      }
    });

    it(`replaces ${kind.resource} for another device, and for nothing else`, () => {
      const properties = at(plain(), "resources", `solar-charging:index:${kind.resource}`, "inputProperties") ?? {};
      const replacing = Object.keys(properties).filter((key) => properties[key]?.replaceOnChanges);
      expect(replacing).to.deep.equal(["deviceId", "businessId"]);
      expect(Object.keys(properties)).to.include.members(keysOf(kind));
    });
  }

  it("has all of the configuration, with the secrets marked", () => {
    for (const properties of [at(plain(), "config", "variables"), at(plain(), "provider", "inputProperties")]) {
      expect(Object.keys(properties ?? {})).to.have.members([...CONFIGURATION_KEYS]);
      const secrets = Object.entries(properties ?? {}).filter(([, { secret }]) => secret);
      expect(secrets.map(([key]) => key)).to.deep.equal(["accessToken", "oauthClientSecret"]);
    }
  });

  it("has one type for each argument, so that compilers refuse others; numbers with a unit and onDrift have two", () => {
    const unions = [...JSON.stringify(plain()).matchAll(/"(\w+)":\{"oneOf"/g)].map(([, key]) => key);
    const numbers = [vehicle, inverter].flatMap(({ settings }) =>
      Object.entries(settings).flatMap(([key, { type }]) => (type === "number" ? [key] : [])),
    );
    expect([...new Set(unions)]).to.have.members([...numbers, "latitude", "onDrift"]);
    // Only the answer of the latest read has undocumented fields.
    expect(JSON.stringify(plain()).match(/pulumi\.json#\/Any/g)).to.have.length(1);
  });

  it("has no enumeration beside another form, because the SDKs of Python and Go then forget the other form", () => {
    const unions = [...JSON.stringify(plain()).matchAll(/"oneOf":(\[.*?\])/g)].map(([, forms]) => forms);
    expect(unions).to.not.be.empty;
    for (const forms of unions) expect(forms).to.not.match(/\{"\$ref":"[^"]*"\}[,\]]/);
  });

  it("names package, publisher, address and import paths as the package.json does, and nothing of its own", () => {
    const own = {
      ...ownPackage(),
      ...{ name: "solar-x", version: "0.0.7" },
      author: "Acme",
      repository: { url: "git+https://example.org/x.git" },
    };
    const schema = JSON.stringify(packageSchema(own));
    expect(schema).to.contain('"publisher":"Acme"').and.contain("solar-x@0.0.7/docs/logo.png");
    expect(schema).to.contain('"solar-x-native"').and.contain('"solar_x"').and.contain('"example.org/x/sdk/go/');
    expect(schema).to.not.contain(repositoryOf(ownPackage())).and.not.contain("pulumi-solar-charging");
  });

  it("shows a program of each resource in four languages, and how to import a device", () => {
    for (const name of ["SiteSettings", vehicle.resource, inverter.resource]) {
      const description = String(at(plain(), "resources", `solar-charging:index:${name}`)?.description);
      const blocks = [...description.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      const programs = blocks.filter(([, language]) => language !== "sh");
      expect(programs.map(([, language]) => language)).to.have.members(["typescript", "python", "go", "yaml"]);
      for (const [, language, text] of programs) expect(text, `${name} in ${language}`).to.contain(name);
      const isDevice = name !== "SiteSettings";
      expect(description.includes(`pulumi import solar-charging:index:${name} `)).to.equal(isDevice);
    }
  });

  it("has no value that an SDK would read from the environment of the program, and so write into state", () => {
    expect(JSON.stringify(packageSchema(ownPackage(), programsForSchema())))
      .to.not.contain("defaultInfo")
      .and.not.contain('"environment"');
  });
});
