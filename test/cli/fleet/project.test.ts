import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { parse } from "yaml";
import { version } from "../../../cli/package";
import { programOf, StackFolders } from "../../../cli/stacks/project";
import type { Site } from "../../../provider/manifest/model";
import { temporaryFolder } from "../../support/folder";

const SITES: Site[] = [{ id: "oslo", vehicles: { car: { deviceId: "car-1", maxCapacity: 77_000 } } }];

describe("cli fleet: the folders of stacks", () => {
  const path = temporaryFolder();
  const folders = () => new StackFolders(path("fleet.yaml"), "acme");

  it("leave correct files unchanged, because another run may use them", () => {
    const names = ["Pulumi.yaml", "shard-1-of-1/Pulumi.yaml", "shard-1-of-1/Main.yaml"];
    const files = () => names.map((name) => lstatSync(path(`.solar-charging/acme/${name}`)).ino);
    folders().write("shard-1-of-1", SITES);
    const before = files();
    folders().write("shard-1-of-1", SITES);
    expect(files()).to.deep.equal(before);
  });

  it("repair a truncated file", () => {
    folders().write("shard-1-of-1", SITES);
    for (const name of ["Pulumi.yaml", "Main.yaml"]) {
      const file = path(`.solar-charging/acme/shard-1-of-1/${name}`);
      const whole = readFileSync(file, "utf8");
      writeFileSync(file, whole.slice(0, 50));
      folders().write("shard-1-of-1", SITES);
      expect(readFileSync(file, "utf8")).to.equal(whole);
    }
  });

  it("have no part of a program that is written aside, which has the stack's own settings", () => {
    folders().write("shard-1-of-1", SITES);
    const settings = "shard-1-of-1/Pulumi.shard-1-of-1.yaml";
    writeFileSync(path(`.solar-charging/acme/${settings}`), "encryptionsalt: v1\n");
    const before = readFileSync(path(".solar-charging/acme/shard-1-of-1/Main.yaml"), "utf8");

    const folder = folders().writeAside("shard-1-of-1", [], path("aside"));

    expect(folder).to.equal(path("aside/shard-1-of-1"));
    expect(readFileSync(path(`aside/${settings}`), "utf8")).to.equal("encryptionsalt: v1\n");
    expect(readFileSync(path("aside/shard-1-of-1/Main.yaml"), "utf8")).to.equal(programOf([]));
    expect(readFileSync(path(".solar-charging/acme/shard-1-of-1/Main.yaml"), "utf8")).to.equal(before);
  });

  it("have a small project beside the program, because the engine reads it several times in each run", () => {
    const sites = Array.from({ length: 1000 }, (_, index) => ({ ...(SITES[0] as Site), id: `site-${index}` }));
    folders().write("shard-1-of-1", sites);
    expect(statSync(path(".solar-charging/acme/shard-1-of-1/Pulumi.yaml")).size).to.be.below(1000);
    expect(parse(readFileSync(path(".solar-charging/acme/shard-1-of-1/Main.yaml"), "utf8")).resources).to.have.all.keys(
      sites.map(({ id }) => id),
    );
  });

  it("have a project that declares no sites by itself, so that a lost program cannot delete them", () => {
    folders().write("shard-1-of-1", SITES);
    // The host of YAML refuses resources that are no map.
    expect(parse(readFileSync(path(".solar-charging/acme/shard-1-of-1/Pulumi.yaml"), "utf8")).resources).to.be.a(
      "string",
    );
  });

  it("name the version of the plugin, without which each run would start it once more for its schema", () => {
    folders().write("shard-1-of-1", SITES);
    const { plugins } = parse(readFileSync(path(".solar-charging/acme/shard-1-of-1/Pulumi.yaml"), "utf8"));
    expect(plugins.providers[0]).to.include({ name: "solar-charging", version });
  });

  it("have no program above the stacks, which could delete a stack's resources", () => {
    folders();
    const { main } = parse(readFileSync(path(".solar-charging/acme/Pulumi.yaml"), "utf8"));
    expect(statSync(path(`.solar-charging/acme/${main}`), { throwIfNoEntry: false })).to.equal(undefined);
  });

  it("refuse settings that a checkout brings along, also of a stack that is not run", () => {
    mkdirSync(path(".solar-charging/acme/shard-2-of-2"), { recursive: true });
    writeFileSync(path(".solar-charging/acme/shard-2-of-2/Pulumi.shard-2-of-2.yaml"), "config: {}");
    expect(folders).to.throw(/^config .*Pulumi\.shard-2-of-2\.yaml /);
  });
});

describe("cli fleet: the program of a stack", () => {
  /** The sites in a program, as the YAML host reads them. */
  const sitesIn = (program: string) => {
    const plain = (value: unknown): unknown => {
      if (typeof value === "string") {
        expect(value.replaceAll("$$", "")).not.to.contain("$");
        return value.replaceAll("$$", () => "$");
      }
      if (Array.isArray(value)) return value.map(plain);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [plain(key), plain(one)]));
    };
    const { resources } = parse(program);
    return Object.entries<{ name?: string; properties: object }>(resources).map(
      ([key, { name = key, properties }]) => ({
        id: name,
        ...(plain(properties) as object),
      }),
    );
  };

  it("is readable: a line for each device", () => {
    expect(programOf(SITES).split("\n").slice(-6)).to.deep.equal([
      '  "oslo":',
      "    type: solar-charging:index:SiteSettings",
      "    properties:",
      "      vehicles:",
      '        "car": {"deviceId":"car-1","maxCapacity":77000}',
      "",
    ]);
  });

  it("refuses a name of a device that the host of YAML would take for the call of a function", () => {
    const vehicles = { "Fn::secret": { deviceId: "car-1" } };
    expect(() => programOf([{ id: "oslo", vehicles }])).to.throw("oslo: vehicles: Fn::secret");
  });

  it("declares all of the manifest, whatever its names and texts", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom("$", ...["$", "$$"].map((sign) => `${sign}{a}`), "a: b", "true", "007", "é\u2028"),
    );
    const device = fc.record({ deviceId: name, maxCapacity: fc.integer() }, { requiredKeys: ["deviceId"] });
    const id = fc.constantFrom("pulumi", "true", "007", "a.b-c_1", "oslo");
    const site = fc.record(
      {
        id,
        vehicles: fc.dictionary(name, device),
        inverters: fc.dictionary(name, device),
        latitude: fc.double({ noNaN: true, min: -90, max: 90 }),
      },
      { requiredKeys: ["id"] },
    );
    fc.assert(
      fc.property(fc.uniqueArray(site, { selector: (one) => one.id }), (sites) => {
        const json = (value: unknown) => JSON.parse(JSON.stringify(value));
        const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
        expect(sitesIn(programOf(sites)).sort(byId)).to.deep.equal(json(sites).sort(byId));
      }),
    );
  });
});
