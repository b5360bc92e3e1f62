import { rmSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { type FleetManifest, FleetSettings, type FleetSettingsArgs } from "../../provider";
import { shardName, shardOf } from "../../provider/manifest/shards";
import { thrownBy } from "../support/failure";
import { temporaryFolder } from "../support/folder";
import { mockedEngine, resolved } from "./mocks";

const CAR = { deviceId: "car", maxCapacity: "77 kWh", maxChargePower: "11 kW" };
const ROOF = {
  deviceId: "roof",
  peakPower: "9.8 kWp",
  azimuth: "S",
  tilt: 35,
  cutInThreshold: 150,
  baseLoad: 400,
} as const;
const FLEET: FleetManifest = {
  fleet: "acme",
  shards: 4,
  sites: [
    {
      id: "berlin",
      latitude: 52.5,
      vehicles: [CAR, { deviceId: "pool", policy: "CHARGE BY" }],
      inverters: [ROOF],
    },
    { id: "paris", vehicles: [{ ...CAR, deviceId: "van", name: "one" }] },
    { id: "rome", solar: false, inverters: [{ ...ROOF, deviceId: "barn" }] },
  ],
};

describe("FleetSettings", () => {
  const engine = mockedEngine();

  const made = async (args: FleetSettingsArgs) => {
    const fleet = new FleetSettings("fleet", args);
    await resolved(fleet.unverified);
    return fleet;
  };
  const children = () => engine.asked.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`).sort();
  const inputsOf = (name: string) => engine.asked.find((asked) => asked.name === name)?.inputs;
  const NAMES = ["FleetSettings fleet", "SiteSettings berlin", "SiteSettings paris", "SiteSettings rome"];

  beforeEach(() => {
    engine.answers(({ inputs }) => ({ ...inputs, ready: true, missing: [], unverified: [] }));
  });

  it("makes one resource a site, solar or not", async () => {
    await made({ manifest: FLEET });
    expect(children()).to.deep.equal(NAMES);
    expect(FLEET.sites.map(({ id }) => inputsOf(id)?.solar)).to.deep.equal([true, false, false]);
  });

  it("declares what the manifest does, in the units of the settings", async () => {
    await made({ manifest: FLEET });
    expect(inputsOf("berlin")).to.deep.include({ latitude: 52.5 });
    expect(inputsOf("berlin")?.vehicles.car).to.include({
      deviceId: "car",
      maxCapacity: 77_000,
      maxChargePower: 11_000,
    });
    expect(inputsOf("berlin")?.vehicles.pool).to.include({ policy: "CHARGE BY" });
    expect(inputsOf("berlin")?.inverters.roof).to.include({ peakPower: 9800, azimuth: 180 });
    expect(inputsOf("paris")?.vehicles.one).to.include({ deviceId: "van" });
    expect(inputsOf("rome")?.inverters.barn).to.include({ deviceId: "barn", tilt: 35 });
  });

  it("names resources by the same names when lines move", async () => {
    const sites = [...FLEET.sites].reverse();
    await made({ manifest: { ...FLEET, sites } });
    expect(children()).to.deep.equal(NAMES);
  });

  for (const { id } of FLEET.sites) {
    const shard = shardOf(id, 4);
    it(`declares the sites of a shard alone, for that of ${id}`, async () => {
      await made({ manifest: FLEET, shard: shardName(shard, 4) });
      const here = FLEET.sites.filter((site) => shardOf(site.id, 4) === shard);
      const expected = NAMES.filter((name) => here.some((site) => name.includes(` ${site.id}`)));
      expect(children()).to.deep.equal(["FleetSettings fleet", ...expected]);
    });
  }

  it("takes the number of shards from the name of one where the manifest does not say it", async () => {
    const { shards: _, ...silent } = FLEET;
    const id = "berlin";
    await made({ manifest: silent, shard: shardName(shardOf(id, 7), 7) });
    const here = FLEET.sites.filter((site) => shardOf(site.id, 7) === shardOf(id, 7));
    expect(
      new Set(
        children()
          .slice(1)
          .map((name) => name.split(/[ -]/)[1]),
      ),
    ).to.deep.equal(new Set(here.map((site) => site.id)));
  });

  it("declares nothing in a shard that has no sites, where the fleet has some", async () => {
    const occupied = FLEET.sites.map((site) => shardOf(site.id, 4));
    const empty = [1, 2, 3, 4].find((shard) => !occupied.includes(shard)) as number;
    await made({ manifest: FLEET, shard: shardName(empty, 4) });
    expect(children()).to.deep.equal(["FleetSettings fleet"]);
  });

  it("is ready if every solar site is, whatever the others are", async () => {
    const isReady: Record<string, boolean> = { berlin: true };
    engine.answers(({ name }) => ({ ready: isReady[name] ?? false, missing: [], unverified: [] }));
    expect(await resolved((await made({ manifest: FLEET })).ready)).to.equal(true);
    isReady.berlin = false;
    expect(await resolved((await made({ manifest: FLEET })).ready)).to.equal(false);
  });

  it("says with its site what a solar site lacks, and of every site what is not seen", async () => {
    engine.answers(({ name }) => ({ ready: false, missing: [`${name} lacks`], unverified: [`${name} hides`] }));
    const fleet = await made({ manifest: FLEET });
    expect(await resolved(fleet.missing)).to.deep.equal(["berlin: berlin lacks"]);
    expect(await resolved(fleet.unverified)).to.deep.equal([
      "berlin: berlin hides",
      "paris: paris hides",
      "rome: rome hides",
    ]);
  });

  describe("reads a file", () => {
    const folder = temporaryFolder();
    const written = (text: string) => {
      const file = folder("fleet.yaml");
      writeFileSync(file, text);
      return file;
    };

    it("as it takes an object", async () => {
      await made({ manifest: written(JSON.stringify(FLEET)) });
      expect(children()).to.deep.equal(NAMES);
    });

    it("and refuses it with lines alone, and without a stack, where something is wrong", () => {
      const manifest = written("fleet: a\nsites:\n  - latitude: 91\n");
      const error = thrownBy(() => new FleetSettings("fleet", { manifest }));
      expect(error).to.be.instanceOf(pulumi.RunError);
      expect(error.message.split("\n")).to.deep.equal([
        `${manifest}:3:5: id of site 1: is required`,
        `${manifest}:3:15: latitude of site 1: has to be from -90 to 90 degrees, north positive`,
      ]);
      expect(error.stack).to.equal(error.message);
    });

    it("and says where there is none", () => {
      const manifest = written("");
      rmSync(manifest);
      expect(() => new FleetSettings("fleet", { manifest })).to.throw(
        pulumi.RunError,
        `${manifest}: there is no such file`,
      );
    });
  });

  describe("refuses, as a program in JavaScript may give it,", () => {
    const cases: Record<string, [args: unknown, reason: string]> = {
      "no arguments": [
        undefined,
        "manifest of FleetSettings 'fleet' has to be the name of a file, or an object, not undefined",
      ],
      "another argument": [
        { manifest: FLEET, shards: 3 },
        "shards of FleetSettings 'fleet' is not an argument of it; did you mean shard?",
      ],
      "a shard that is no text": [
        { manifest: FLEET, shard: 3 },
        "shard of FleetSettings 'fleet' has to be a name, not 3",
      ],
      "an output": [{ manifest: { ...FLEET, fleet: pulumi.output("a") } }, "manifest: fleet: has to be a text"],
    };
    for (const [what, [args, reason]] of Object.entries(cases)) {
      it(what, () => {
        expect(() => new FleetSettings("fleet", args as FleetSettingsArgs)).to.throw(pulumi.RunError, reason);
      });
    }

    it("a fleet without any site, which would let go of all that is declared", () => {
      for (const shard of [undefined, "shard-1-of-4"]) {
        const args = { manifest: { fleet: "acme", shards: 4, sites: [] }, ...(shard && { shard }) };
        expect(() => new FleetSettings("fleet", args)).to.throw(
          pulumi.RunError,
          "the manifest of acme has no sites, and nothing is done: to let go of all devices of a stack, " +
            "run 'pulumi destroy', which does not need the manifest",
        );
      }
    });

    it("a shard of another number than the manifest says", () => {
      const make = () => new FleetSettings("fleet", { manifest: FLEET, shard: "shard-1-of-5" });
      expect(make).to.throw(pulumi.RunError, `"shard-1-of-5" is none of fleet 'acme'`);
    });

    it("the name of no shard", () => {
      const reason = `"dev" is none of fleet 'acme', whose shards are called shard-1-of-4 to shard-4-of-4`;
      expect(() => new FleetSettings("fleet", { manifest: FLEET, shard: "dev" })).to.throw(pulumi.RunError, reason);
    });
  });
});
