import { readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import type { OnDelete } from "../../../provider/settings/declaration";
import { omit } from "../../../provider/settings/objects";
import { keysOf } from "../../../provider/settings/setting";
import { refused, uncertain } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";
import { ReviewedWorld } from "./approvalWorld";
import { numbered } from "./commands";
import { otherValue } from "./ledger";
import { CARS, type Declared, kindOf, ROOFS, SITES, type SiteName } from "./siteWorld";

/** Number of random histories: `LAW_RUNS=5000 npx mocha dist/test/unit/laws/approval.test.js`. */
const { LAW_RUNS = "300" } = process.env;

/** An edit of the world. The title is for the counterexample. */
interface Edit {
  readonly title: string;
  readonly run: (world: ReviewedWorld) => unknown;
  toString(): string;
}

const edit = (title: string, run: Edit["run"]): Edit => ({ title, run, toString: () => title });

const anyDevice = fc.constantFrom(...CARS, ...ROOFS);
const anySite = fc.constantFrom<SiteName>(...SITES);
const anyNumbers = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  {
    minLength: 5,
    maxLength: 5,
  },
);

const declare = fc
  .record({
    site: anySite,
    deviceId: anyDevice,
    numbers: anyNumbers,
    hasPolicy: fc.boolean(),
    observe: fc.constantFrom(false, false, false, false, true),
    onDelete: fc.constantFrom<OnDelete | undefined>(undefined, "retain", "restore", "restore", "reset"),
    suffix: fc.constantFrom("", "", "-b"),
  })
  .map(({ site, deviceId, numbers, hasPolicy, observe, onDelete, suffix }) => {
    const isCar = CARS.includes(deviceId);
    const all = numbered(kindOf(deviceId), numbers);
    const declared: Declared = {
      name: `${deviceId}${suffix}`,
      values: isCar && !hasPolicy ? omit(all, ["policy"]) : all,
      ...(observe && { observe }),
      ...(onDelete && { onDelete: onDelete === "reset" && !isCar ? "restore" : onDelete }),
    };
    return edit(`${site} declares ${deviceId} as ${JSON.stringify(declared)}`, ({ program }) => {
      for (const one of SITES) program[one].delete(deviceId);
      program[site].set(deviceId, declared);
    });
  });
const remove = anyDevice.map((deviceId) =>
  edit(`nobody declares ${deviceId}`, ({ program }) => {
    for (const one of SITES) program[one].delete(deviceId);
  }),
);
const removeSite = anySite.map((site) => edit(`${site} is removed`, ({ program }) => program[site].clear()));
const solar = fc.tuple(anySite, fc.constantFrom(true, false, undefined)).map(([site, is]) =>
  edit(`${site} is solar: ${is}`, (world) => {
    world.solar[site] = is;
  }),
);
const ofProgram = fc.oneof({ weight: 5, arbitrary: declare }, remove, removeSite, solar);

const drift = fc
  .record({ deviceId: anyDevice, index: fc.nat(4), number: fc.nat(3) })
  .map(({ deviceId, index, number }) =>
    edit(`somebody sets key ${index} of ${deviceId}, which a refresh finds`, async (world) => {
      const keys = keysOf(kindOf(deviceId));
      const key = keys[index % keys.length] as string;
      world.edit(deviceId, { [key]: otherValue(kindOf(deviceId), key, number) });
      for (const site of SITES) if (world.sites[site].outputs) await world.sites[site].refresh();
    }),
  );
/** Replaces numbers of state: another baseline, another value, another device. */
const ofState = fc
  .record({ site: anySite, index: fc.nat(40), add: fc.integer({ min: 1, max: 3 }) })
  .map(({ site, index, add }) =>
    edit(`number ${index} in the state of ${site} is ${add} more`, (world) => {
      const stack = world.sites[site];
      if (!stack.outputs) return;
      let at = 0;
      stack.outputs = JSON.parse(JSON.stringify(stack.outputs), (_, value) =>
        typeof value === "number" && at++ === index ? value + add : value,
      );
    }),
  );
const forget = anySite.map((site) =>
  edit(`the state of ${site} is lost`, (world) => {
    world.sites[site].outputs = undefined;
    world.sites[site].inputs = undefined;
  }),
);
/** After these edits, nothing at all may be sent. */
const CLOSING = [
  edit("the set has other numbers", (world) => world.editSet((text) => text.replace(/"value": \d/g, '"value": 9'))),
  edit("the set has another form", (world) => world.editSet((text) => JSON.stringify(JSON.parse(text)))),
  edit("the set is that of another review", (world) => world.editSet(() => '{"approval":1,"stacks":[]}')),
  edit("the set is gone", (world) => world.set("SOLAR_CHARGING_APPROVED", `${world.file}.old#${world.digest}`)),
  edit("another digest", (world) => world.set("SOLAR_CHARGING_APPROVED", `${world.file}#sha256:${"0".repeat(64)}`)),
  edit("another service", (world) => world.set("SOLAR_CHARGING_BASE_URL", "https://other.example.com")),
  edit("another stack", (world) => {
    world.stack = "prod";
  }),
].map((one) => {
  const run = async (world: ReviewedWorld) => {
    await one.run(world);
    world.allowed.clear();
  };
  return edit(one.title, run);
});
const closing = fc.constantFrom(...CLOSING);

const afterReview = fc.oneof(
  { weight: 24, arbitrary: ofProgram },
  { weight: 8, arbitrary: drift },
  { weight: 12, arbitrary: ofState },
  { weight: 4, arbitrary: forget },
  { weight: 1, arbitrary: closing },
);

const history = fc.record({
  before: fc.array(ofProgram, { minLength: 2, maxLength: 8 }),
  change: fc.array(fc.oneof({ weight: 4, arbitrary: ofProgram }, { weight: 1, arbitrary: drift }), {
    minLength: 1,
    maxLength: 5,
  }),
  after: fc.array(afterReview, { minLength: 1, maxLength: 14, size: "max" }),
  repair: fc.boolean(),
  reverse: fc.boolean(),
  broken: fc.option(fc.tuple(anyDevice, fc.constantFrom("refused", "uncertain"))),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

describe("approvals", function () {
  this.timeout(600_000);
  const place = temporaryFolder();

  /** A world after the review of a change. */
  async function reviewed({ before, change, repair }: History): Promise<ReviewedWorld> {
    const world = new ReviewedWorld(place);
    for (const one of before) await one.run(world);
    await world.apply();
    for (const one of change) await one.run(world);
    await world.review(repair);
    return world;
  }
  const strangeIn = ({ sent, allowed }: ReviewedWorld) => sent.filter((one) => !allowed.has(one));

  it("send only reviewed values, whatever somebody edits after the review", async () => {
    let edits = 0;
    let isRefused = 0;
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const world = await reviewed(one);
        for (const later of one.after) await later.run(world);
        edits += one.after.length;
        const codes = await world.apply(one.reverse ? [...SITES].reverse() : SITES);
        expect(strangeIn(world)).to.deep.equal([]);
        if (codes.length > 0) isRefused += 1;
        expect(world.requestsOfRefused, "requests of refused sites").to.deep.equal([]);
        expect(
          codes.filter((code) => !["notReviewed", "devicesRefused", "approvalNotUsable"].includes(code)).join(),
        ).to.equal("");
      }),
      { numRuns: Number(LAW_RUNS) },
    );
    // With the default number of histories, these are 2,000 edits.
    expect(edits, "edits").to.be.at.least((Number(LAW_RUNS) * 20) / 3);
    expect(isRefused, "refused changes").to.be.greaterThan(Number(LAW_RUNS) / 4);
  });

  it("pass a change that nobody edits, also if it needs several runs", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const world = await reviewed(one);
        const note = world.service.beforeUpdate;
        if (one.broken) {
          const [broken, how] = one.broken;
          world.service.beforeUpdate = (device) => {
            note(device);
            if (device.deviceId === broken) throw how === "refused" ? refused(422) : uncertain();
          };
          const codes = await world.apply(one.reverse ? [...SITES].reverse() : SITES);
          expect(codes).not.to.include("notReviewed").and.not.to.include("devicesRefused");
          world.service.beforeUpdate = note;
        }
        expect((await world.apply()).join()).to.equal("");
        expect(strangeIn(world)).to.deep.equal([]);
        for (const site of SITES) {
          if (world.program[site].size > 0)
            expect(await world.sites[site].differs(world.argumentsOf(site)), site).to.equal(false);
        }
      }),
      { numRuns: Number(LAW_RUNS) },
    );
  });

  it("keep secret values out of the files, and never send one", async () => {
    const secret = 61_234;
    const world = new ReviewedWorld(place);
    world.secrets = ["vehicles.car1.maxCapacity"];
    const declareSecret = (maxCapacity: number) =>
      world.program.east.set("car1", { name: "car1", values: { maxCapacity, maxChargePower: 7400 } });
    declareSecret(secret);
    await world.review(false);
    expect(readFileSync(world.file, "utf8")).to.contain('"value": 7400').and.not.to.contain(String(secret));
    const [code, text] = [await world.apply(), world.texts.join()];
    expect(code).to.deep.equal(["notReviewed"]);
    expect(text)
      .to.contain("maxCapacity")
      .and.not.to.match(/61.?23/);
    world.set("SOLAR_CHARGING_APPROVED", "");
    await world.apply();
    // The secret stays as it is: then the set of a change of another setting is whole.
    world.program.east.set("car1", { name: "car1", values: { maxCapacity: secret, maxChargePower: 11_000 } });
    await world.review(false);
    expect(await world.apply()).to.deep.equal([]);
    expect(world.sent).to.deep.equal(['["car1","max_charge_power",11000]']);
  });

  it("would be seen to fail: without the set, most edits send something else", async () => {
    let isStrange = 0;
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const world = await reviewed(one);
        for (const later of one.after) await later.run(world);
        world.set("SOLAR_CHARGING_APPROVED", "");
        await world.apply();
        if (strangeIn(world).length > 0) isStrange += 1;
      }),
      { numRuns: 50 },
    );
    expect(isStrange).to.be.greaterThan(25);
  });
});
