import { expect } from "chai";
import { claimsOf, declaredDevicesOf, largestFirst, planOf } from "../../../cli/stacks/plan";
import { memberCount, shardOf } from "../../../provider/manifest/model";
import { fleetOf, used } from "./fleets";

describe("cli fleet: the plan", () => {
  const manifest = fleetOf(4, 20);

  it("has each site in one stack, and only stacks with sites", () => {
    const { stacks } = planOf(manifest, []);
    const ids = stacks.flatMap(({ sites }) => sites.map(({ id }) => id));
    expect(ids).to.have.members(manifest.sites.map(({ id }) => id));
    expect(stacks.map(({ name }) => name)).to.deep.equal([1, 2, 3, 4].map((n) => `shard-${n}-of-4`));
    expect(stacks.reduce((sum, stack) => sum + memberCount(stack.sites), 0)).to.equal(20);
    expect(planOf({ ...manifest, sites: manifest.sites.slice(0, 1) }, []).stacks).to.have.length(1);
  });

  it("gives each stack to one of several machines, an emptied one too", () => {
    const sites = manifest.sites.filter(({ id }) => shardOf(id, 4) !== 4);
    const parts = [1, 2, 3].map((index) => planOf({ ...manifest, sites }, used("shard-4-of-4"), { index, count: 3 }));
    expect(parts.map(({ emptied }) => emptied)).to.deep.equal([["shard-4-of-4"], [], []]);
    const names = [1, 2, 3].flatMap((index) =>
      planOf(manifest, [], { index, count: 3 }).stacks.map(({ name }) => name),
    );
    expect(names).to.have.members([1, 2, 3, 4].map((n) => `shard-${n}-of-4`));
  });

  it("tells the devices of a stack, in the business that they say or in that of the configuration", () => {
    const vehicles = { car: { deviceId: "a" } };
    const inverters = { roof: { deviceId: "b", businessId: "other" } };
    const stack = { name: "shard-1-of-1", sites: [{ id: "s", vehicles, inverters }] };
    const names = (business?: string) => declaredDevicesOf(stack, business).map(({ device }) => device);
    expect(names("acme")).to.deep.equal(["other/b", "acme/a"]);
    expect(names()).to.deep.equal(["other/b", "a"]);
    expect(declaredDevicesOf(stack, "acme")).to.deep.include({ device: "acme/a", site: "s", label: "vehicle/car" });
  });

  it("gives the declared values of each device with a business, also the policy if the site is ready", () => {
    const whole = { maxCapacity: 77_000, maxChargePower: 11_000 };
    const part = { maxCapacity: 77_000 };
    const charges = { ...whole, policy: "CHARGE BY" };
    const vehicles = {
      car: { deviceId: "a", ...whole },
      van: { deviceId: "b", ...part },
      taxi: { deviceId: "c", ...charges },
      guest: { deviceId: "d", observe: true },
    };
    const roof = { peakPower: 9800, azimuth: 180, tilt: 30, cutInThreshold: 50, baseLoad: 300 };
    const { tilt: _, ...lacking } = roof;
    const site = (values: object) => {
      const inverters = { roof: { deviceId: "r", businessId: "other", ...values } };
      return { sites: [{ id: "s", vehicles, inverters }] };
    };
    const inverter = { businessId: "other", deviceId: "r" };
    const acme = (deviceId: string) => ({ businessId: "acme", deviceId });
    const bare = [
      [acme("a"), whole],
      [acme("b"), part],
      [acme("c"), charges],
    ];
    // A car may report the values that it does not declare.
    const policy = "CHARGE BY FORECAST";
    const ready = [[acme("a"), { ...whole, policy }], [acme("b"), { ...part, policy }], ...bare.slice(2)];
    expect(claimsOf(site(roof), "acme")).to.deep.equal([[inverter, roof], ...ready]);
    expect(claimsOf(site({ observe: true }), "acme")).to.deep.equal(ready);
    expect(claimsOf(site(lacking), "acme")).to.deep.equal([[inverter, lacking], ...bare]);
    expect(claimsOf({ sites: [{ id: "s", vehicles }] }, "acme")).to.deep.equal(bare);
    expect(claimsOf(site(roof), undefined)).to.deep.equal([[inverter, roof]]);
  });

  it("splits a new fleet that does not say how into one stack for each 1,000 devices", () => {
    const { shards: _, ...silent } = fleetOf(4, 2_001);
    expect(planOf(silent, []).stacks.map(({ name }) => name)).to.deep.equal([1, 2, 3].map((n) => `shard-${n}-of-3`));
  });

  it("keeps the number of stacks of a fleet that has some", () => {
    const { shards: _, ...silent } = fleetOf(4, 1_001);
    const { stacks } = planOf(silent, used("shard-1-of-2"));
    expect(stacks.map(({ name }) => name)).to.deep.equal(["shard-1-of-2", "shard-2-of-2"]);
  });

  it("refuses a fleet that has stacks of two numbers of shards", () => {
    const { shards: _, ...silent } = fleetOf(4, 2);
    expect(() => planOf(silent, used("shard-1-of-2", "shard-1-of-4"))).to.throw(
      /^acme .* 4 shards\. .* 2 shards\. .*shards: 4 /,
    );
  });

  it("begins with the largest stacks, so that no large one is left alone at the end", () => {
    const { stacks } = planOf(manifest, []);
    const sizes = largestFirst(stacks).map(({ sites }) => memberCount(sites));
    expect(sizes).to.deep.equal([...sizes].sort((a, b) => b - a));
    expect(sizes).not.to.deep.equal(stacks.map(({ sites }) => memberCount(sites)));
  });

  it("ignores and removes a stack without resources, such as a preview leaves", () => {
    const { shards: _, ...silent } = fleetOf(4, 1_001);
    const { stacks, emptied } = planOf(silent, [{ name: "shard-1-of-1", isEmpty: true }]);
    expect(stacks.map(({ name }) => name)).to.deep.equal(["shard-1-of-2", "shard-2-of-2"]);
    expect(emptied).to.deep.equal(["shard-1-of-1"]);
  });

  it("leaves stacks of others alone", () => {
    expect(planOf(manifest, used("dev", "shard-1", "shard-2-of-4")).emptied).to.deep.equal([]);
  });

  it("refuses a manifest without sites, or cut off after the first one's id, whatever there is", () => {
    const refusal = /acme .* devices, .*'solar-charging fleet destroy'/;
    const cut = manifest.sites.slice(0, 1).map((site) => ({ ...site, vehicles: {} }));
    expect(() => planOf({ ...manifest, sites: cut }, used("shard-4-of-4"))).to.throw(refusal);
    expect(() => planOf({ ...manifest, sites: [] }, used("shard-4-of-4"))).to.throw(refusal);
  });

  it("refuses a fleet that has stacks of another number of shards", () => {
    expect(() => planOf(manifest, used("shard-1-of-4", "shard-1-of-8"))).to.throw(
      /^acme .* 8 shards\. .* 4 shards\. .* shards: 8 /,
    );
  });
});
