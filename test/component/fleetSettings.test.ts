import { rmSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { type FleetManifest, FleetSettings, type FleetSettingsArgs } from "../../provider";
import { shardName, shardOf } from "../../provider/manifest/model";
import { expectLike, like } from "../support/facts";
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
  businessId: "acme",
  shards: 4,
  sites: {
    berlin: {
      latitude: "52.5 °",
      vehicles: { car: CAR, pool: { deviceId: "pool", policy: "CHARGE BY" } },
      inverters: { roof: ROOF },
    },
    paris: { requireReady: false, onDelete: "restore", vehicles: { one: { ...CAR, deviceId: "van" } } },
    rome: { solar: false, inverters: { barn: { ...ROOF, deviceId: "barn" }, hall: { deviceId: "h", observe: true } } },
  },
};
const SITES = Object.keys(FLEET.sites);

describe("FleetSettings", () => {
  const engine = mockedEngine();
  const outputs = { ready: true, missing: [], unverified: [] };
  beforeEach(() => engine.answers(({ inputs }) => ({ ...inputs, ...outputs })));

  const made = async (args: FleetSettingsArgs) => {
    const fleet = new FleetSettings("fleet", args);
    await resolved(fleet.unverified);
    return fleet;
  };
  const children = () => engine.asked.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`).sort();
  const namesOf = (sites: readonly string[]) => ["FleetSettings fleet", ...sites.map((id) => `SiteSettings ${id}`)];
  const argumentsOf = (name: string) => {
    const { __program, __provider, ...declared } = engine.asked.find((asked) => asked.name === name)?.inputs ?? {};
    return declared;
  };

  it("makes one SiteSettings a site, with the arguments that the manifest has, in the units of the settings", async () => {
    await made({ manifest: FLEET });
    expect(children()).to.deep.equal(namesOf(SITES));
    const { peakPower, ...roof } = ROOF;
    expect(argumentsOf("berlin")).to.deep.equal({
      businessId: "acme",
      latitude: 52.5,
      vehicles: {
        car: { deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 },
        pool: { deviceId: "pool", policy: "CHARGE BY" },
      },
      inverters: { roof: { ...roof, peakPower: 9800, azimuth: 180 } },
    });
    expect(argumentsOf("paris"))
      .to.include({ requireReady: false, onDelete: "restore" })
      .and.not.have.any.keys("solar");
    expect(argumentsOf("rome").inverters).to.deep.include({ hall: { deviceId: "h", observe: true } });
  });

  it("gives a site the same name if lines move", async () => {
    const sites = Object.fromEntries(Object.entries(FLEET.sites).reverse());
    await made({ manifest: { ...FLEET, sites } });
    expect(children()).to.deep.equal(namesOf(SITES));
  });

  for (const id of SITES) {
    const shard = shardOf(id, 4);
    it(`declares the sites of a shard alone, for that of ${id}`, async () => {
      await made({ manifest: FLEET, shard: shardName(shard, 4) });
      expect(children()).to.deep.equal(namesOf(SITES.filter((other) => shardOf(other, 4) === shard)));
    });
  }

  it("takes the number of shards from the name of one if the manifest does not say it", async () => {
    const { shards: _, ...silent } = FLEET;
    const shard = shardOf("berlin", 7);
    await made({ manifest: silent, shard: shardName(shard, 7) });
    expect(children()).to.deep.equal(namesOf(SITES.filter((id) => shardOf(id, 7) === shard)));
  });

  it("declares nothing in a shard that has no sites, if the fleet has some", async () => {
    const occupied = SITES.map((id) => shardOf(id, 4));
    const empty = [1, 2, 3, 4].find((shard) => !occupied.includes(shard)) as number;
    await made({ manifest: FLEET, shard: shardName(empty, 4) });
    expect(children()).to.deep.equal(["FleetSettings fleet"]);
  });

  it("is ready if every solar site is, and reports what these miss", async () => {
    const answer = (notReady: string) =>
      engine.answers(({ inputs, name }) => ({
        ...inputs,
        ...outputs,
        ...(name === notReady && { ready: false, missing: ["site: it has no inverters"] }),
      }));
    answer("rome"); // The site `rome` has `solar: false`.
    const whole = await made({ manifest: FLEET });
    expect([await resolved(whole.ready), await resolved(whole.missing)]).to.deep.equal([true, []]);
    answer("berlin");
    const part = await made({ manifest: FLEET });
    expect(await resolved(part.ready)).to.equal(false);
    expect(await resolved(part.missing)).to.deep.equal(["berlin: site: it has no inverters"]);
  });

  it("reports what is not verified with its site, of all sites", async () => {
    engine.answers(({ inputs, name }) => ({
      ...inputs,
      ...outputs,
      ...(name === "paris" && { unverified: ["vehicle/one: maxCapacity accepted, not reported"] }),
    }));
    expect(await resolved((await made({ manifest: FLEET })).unverified)).to.deep.equal([
      "paris: vehicle/one: maxCapacity accepted, not reported",
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
      expect(children()).to.deep.equal(namesOf(SITES));
    });

    it("and refuses it with lines alone, and without a stack, if something is wrong", () => {
      const manifest = written("fleet: a\nsites:\n  b: { latitude: 91 }\n");
      const error = thrownBy(() => new FleetSettings("fleet", { manifest }));
      expect(error).to.be.instanceOf(pulumi.RunError);
      expectLike(error.message.split("\n"), [`${manifest}:3:18: sites.b.latitude: … -90° … 90°, … 91°; …`]);
      expect(error.stack).to.equal(error.message);
    });

    it("and says if there is none", () => {
      const manifest = written("");
      rmSync(manifest);
      expect(() => new FleetSettings("fleet", { manifest })).to.throw(pulumi.RunError, `${manifest}: `);
    });
  });

  const empty = { fleet: "acme", shards: 4, sites: {} };
  for (const [what, args, reason] of [
    ["no arguments", undefined, "manifest … FleetSettings 'fleet' …"],
    ["another argument", { manifest: FLEET, shards: 3 }, "shards … FleetSettings 'fleet'…"],
    ["a shard that is no text", { manifest: FLEET, shard: 3 }, "shard … FleetSettings 'fleet' … 3"],
    ["an output", { manifest: { ...FLEET, fleet: pulumi.output("a") } }, "manifest: fleet: … text…"],
    ["a fleet without any site, which would delete all that is declared", { manifest: empty }, "… acme …sites…"],
    ["a shard of such a fleet", { manifest: empty, shard: "shard-1-of-4" }, "… acme …sites…"],
    [
      "a shard of another number than the manifest says",
      { manifest: FLEET, shard: "shard-1-of-5" },
      "…shard-1-of-5… shard-1-of-4 … shard-4-of-4…",
    ],
    ["the name of no shard", { manifest: FLEET, shard: "dev" }, "…dev… shard-1-of-4 … shard-4-of-4…"],
  ] as const) {
    it(`refuses ${what}, which a program in JavaScript can pass`, () => {
      expect(() => new FleetSettings("fleet", args as FleetSettingsArgs)).to.throw(pulumi.RunError, like(reason));
    });
  }
});
