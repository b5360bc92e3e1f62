import { expect } from "chai";
import type { Outcome } from "../../../cli/fleet/outcome/outcome";
import { devicesOf, largestFirst, type Plan, planOf, type StackPlan } from "../../../cli/fleet/rollout/plan";
import { doneIn, type RolloutProgress } from "../../../cli/fleet/rollout/record";
import { type Rollout, rollOut, runAll } from "../../../cli/fleet/rollout/rollout";
import type { WaveReport } from "../../../cli/fleet/rollout/waveReport";
import { type Wave, wavesOf } from "../../../cli/fleet/rollout/waves";
import type { RunStack } from "../../../cli/fleet/stack";
import { said } from "../../support/fakes";
import { fleetOf } from "./fleets";

describe("cli fleet: a rollout", () => {
  const plan = planOf(fleetOf(4, 20), []);
  // The site that the alphabet has first, and the stack that it is in.
  const canaryStack = plan.stacks.find(({ sites }) => sites.some(({ id }) => id === "site-00"))?.name as string;
  const others = largestFirst(plan.stacks)
    .map(({ name }) => name)
    .filter((name) => name !== canaryStack);

  const allDone = (stacks: readonly StackPlan[]) =>
    Object.fromEntries(stacks.map(({ name }) => [name, { revision: "one", isDone: true }]));

  /** Runs stacks of which these sites' cars fail, and these do not start; tells what was run. */
  function fake(failing: readonly string[] = [], held: readonly string[] = []) {
    const log: string[] = [];
    const run: RunStack = async (stack, operation, { onlySite, isEmptied }) => {
      log.push([operation, stack, onlySite && "canary", isEmptied && "emptied"].filter(Boolean).join(" "));
      const sites = plan.stacks.find(({ name }) => name === stack)?.sites ?? [];
      const outcomes = sites
        .filter(({ id }) => onlySite === undefined || id === onlySite)
        .map(({ id }): Outcome => {
          const result = failing.includes(id) ? "failed" : "changed";
          return { device: `acme/${id.replace("site", "car")}`, site: id, label: "vehicle/car", result, before: {} };
        });
      const error = held.includes(stack) ? { error: said("held") } : {};
      return {
        stack,
        outcomes: new Map(outcomes.map((one) => [one.device, one])),
        sites: [],
        warnings: [],
        revision: `of ${log.length}`,
        ...error,
      };
    };
    return { log, run };
  }

  function rollout(run: RunStack, options: Partial<Rollout> = {}): Rollout & { kept: RolloutProgress[] } {
    const kept: RolloutProgress[] = [];
    return {
      plan,
      waves: wavesOf(plan, { share: 0.25, maxFailures: 0.2 }),
      parallel: 1,
      run,
      signal: new AbortController().signal,
      progress: undefined,
      refresh: true,
      onDevice() {},
      onWave() {},
      onReport() {},
      keep: (progress) => kept.push(progress),
      gate: async () => true,
      say() {},
      kept,
      ...options,
    };
  }

  it("runs the canary site alone, then its stack, then the rest", async () => {
    const { log, run } = fake();
    const { stopped } = await rollOut(rollout(run));
    expect(stopped).to.equal(undefined);
    expect(log).to.deep.equal([`up ${canaryStack} canary`, `up ${canaryStack}`, ...others.map((name) => `up ${name}`)]);
  });

  it("stops at a canary that fails, and begins with it again", async () => {
    const { log, run } = fake(["site-00"]);
    const first = rollout(run);
    expect((await rollOut(first)).stopped).to.match(/^wave canary: 1 of 1 devices failed/);
    expect(log).to.deep.equal([`up ${canaryStack} canary`]);
    const stacks = { [canaryStack]: { revision: "of 1", isDone: false } };
    expect(first.kept.at(-1)).to.deep.equal({ canaryDone: false, released: [], stacks });
  });

  it("goes on after failures within the limit, and stops after more", async () => {
    const stack = plan.stacks.find(({ name }) => name === canaryStack);
    const ids = (stack?.sites ?? []).map(({ id }) => id).slice(1);
    const few = await rollOut(rollout(fake(ids.slice(0, Math.floor(ids.length * 0.2))).run));
    expect(few.stopped).to.equal(undefined);
    const many = await rollOut(rollout(fake(ids).run));
    expect(many.stopped).to.match(/^wave share: \d+ of \d+ devices failed, and at most 20% may$/);
  });

  for (const order of ["first", "last"]) {
    it(`holds it against a wave where a device fails that has moved, and whose former stack is done ${order}`, async () => {
      const [one, other, ...rest] = largestFirst(plan.stacks);
      const [former, latter] = (order === "first" ? [one, other] : [other, one]) as [StackPlan, StackPlan];
      const moved = devicesOf(latter, "acme");
      const { run } = fake(latter.sites.map(({ id }) => id));
      const letGo: RunStack = async (stack, operation, options) => {
        const result = await run(stack, operation, options);
        const left = stack === former.name ? moved : [];
        const outcomes = left.map((one): Outcome => ({ ...one, result: "unmanaged", before: {}, onDelete: "restore" }));
        return {
          ...result,
          outcomes: new Map([...result.outcomes, ...outcomes.map((out) => [out.device, out] as const)]),
        };
      };
      const waves: Wave[] = [
        { name: "share", stacks: [former, latter], failureLimit: 0.05 },
        { name: "rest", stacks: rest, failureLimit: 0.05 },
      ];
      const { stopped } = await rollOut(rollout(letGo, { waves }));
      const all = moved.length + former.sites.length;
      expect(stopped).to.equal(`wave share: ${moved.length} of ${all} devices failed, and at most 5% may`);
    });
  }

  it("stops where a stack of a wave could not be run", async () => {
    const { log, run } = fake([], [canaryStack]);
    expect((await rollOut(rollout(run))).stopped).to.equal(`wave canary: ${canaryStack} could not be run`);
    expect(log).to.have.length(1);
  });

  it("goes on where it was not released, with what is left, once it is released", async () => {
    const { log, run } = fake();
    const asked: string[] = [];
    const gate = (refused?: string) => async (done: WaveReport, next: Wave) => {
      asked.push(`${done.wave} ${next.name}`);
      return done.wave !== refused;
    };
    const first = rollout(run, { gate: gate("share") });
    expect((await rollOut(first)).stopped).to.equal("not released after wave share");
    expect(asked.splice(0)).to.deep.equal(["canary share", "share rest"]);
    log.length = 0;
    const again = rollout(run, { gate: gate("share"), progress: first.kept.at(-1) });
    expect((await rollOut(again)).stopped).to.equal("not released after wave share");
    expect(log).to.deep.equal([]);
    await rollOut(rollout(run, { gate: gate(), progress: again.kept.at(-1) }));
    expect(asked).to.deep.equal(["share rest", "share rest"]);
    expect(log).to.deep.equal(others.map((name) => `up ${name}`));
  });

  it("reports the counts of a wave to the gate, also of one that an earlier run has done, and as a line", async () => {
    const failing = plan.stacks.find(({ name }) => name === others[0])?.sites[0]?.id as string;
    const share = plan.stacks.find(({ name }) => name === canaryStack)?.sites.length as number;
    const counts: object[] = [];
    const said: string[] = [];
    const gate = async ({ wave, ok, failed, notDone }: WaveReport) => {
      counts.push({ wave, ok, failed, notDone });
      return wave === "canary";
    };
    const say = (line: string) => said.push(line);
    const first = rollout(fake([failing]).run, { gate, say });
    await rollOut(first);
    await rollOut(rollout(fake().run, { gate, say, progress: first.kept.at(-1) }));
    const ofShare = { wave: "share", ok: share, failed: 0, notDone: 0 };
    expect(counts).to.deep.equal([{ wave: "canary", ok: 1, failed: 0, notDone: 0 }, ofShare, ofShare]);
    expect(said.filter((line) => line.startsWith(`wave share: ${share} ok, 0 failed. Next: rest, `))).to.have.length(2);
  });

  it("asks nothing between waves of which nothing is left", async () => {
    const { run } = fake();
    const never = async () => expect.fail("asked");
    const stacks = allDone(plan.stacks);
    await rollOut(rollout(run, { gate: never, progress: { canaryDone: true, released: [], stacks } }));
  });

  it("holds failures against the stacks that were run, not those that an earlier run was through with", async () => {
    const failing = plan.stacks
      .find(({ name }) => name === others[0])
      ?.sites.slice(0, 1)
      .map(({ id }) => id);
    const whole = { name: "share", stacks: plan.stacks, failureLimit: 0.5 } as const;
    const rest = { name: "rest", stacks: [], failureLimit: 0 } as const;
    const progress = {
      canaryDone: true,
      released: [],
      stacks: allDone(plan.stacks.filter(({ name }) => name !== others[0])),
    };
    const { stopped } = await rollOut(rollout(fake(failing).run, { waves: [whole, rest], progress }));
    expect(stopped).to.equal(undefined);
  });

  it("does not take a stack for done of whose devices nothing is known", async () => {
    const silent: RunStack = async (stack) => ({
      stack,
      outcomes: new Map(),
      sites: [],
      warnings: [],
      revision: "one",
    });
    const first = rollout(silent);
    await rollOut(first);
    expect(doneIn(first.kept.at(-1))).to.deep.equal([]);
  });

  it("does not take a stack for done of which the backend says nothing", async () => {
    const { run } = fake();
    const unsaid: RunStack = async (...args) => {
      const { revision: _, ...result } = await run(...args);
      return result;
    };
    const first = rollout(unsaid);
    await rollOut(first);
    expect(first.kept.at(-1)).to.deep.equal({ canaryDone: true, released: ["canary", "share"], stacks: {} });
  });

  it("forgets what it knows of a stack before it runs it again: a kill leaves it as nobody knows", async () => {
    const { run } = fake();
    const known: unknown[] = [];
    const first = rollout(async (stack, ...rest) => {
      known.push(first.kept.at(-1)?.stacks[stack]);
      return await run(stack, ...rest);
    });
    await rollOut(first);
    expect(known).to.deep.equal(known.map(() => undefined));
  });

  it("gives the stacks that run at the same time their number", async () => {
    const numbers: number[] = [];
    const { run } = fake();
    await rollOut(
      rollout(
        async (stack, operation, options) => {
          numbers.push(options.atOnce);
          return await run(stack, operation, options);
        },
        { parallel: 2 },
      ),
    );
    expect(numbers).to.deep.equal([1, 1, 2, 2, 2]);
  });

  it("does not take a stack for done in which a device failed", async () => {
    const failing = plan.stacks.find(({ name }) => name === others[0])?.sites[0]?.id as string;
    const first = rollout(fake([failing]).run);
    expect((await rollOut(first)).stopped).to.equal(undefined);
    const { log, run } = fake();
    await rollOut(rollout(run, { progress: first.kept.at(-1) }));
    expect(log).to.deep.equal([`up ${others[0]}`]);
  });

  it("starts nothing more once it is interrupted, and keeps what is done", async () => {
    const controller = new AbortController();
    const { log, run } = fake();
    const interrupted = rollout(
      async (stack, ...rest) => {
        if (stack !== canaryStack) controller.abort();
        return await run(stack, ...rest);
      },
      { signal: controller.signal },
    );
    await rollOut(interrupted);
    expect(log).to.have.length(3);
    expect(interrupted.kept.at(-1)).to.deep.equal({
      canaryDone: true,
      released: ["canary", "share"],
      stacks: { [canaryStack]: { revision: "of 2", isDone: true } },
    });
  });

  it("begins nothing more once its record cannot be written, and tells what is done", async () => {
    const { log, run } = fake();
    const full = rollout(run, {
      parallel: 3,
      keep({ stacks }) {
        if (Object.keys(stacks).length > 1) throw new Error("no space");
      },
    });
    const { results, broken, stopped } = await rollOut(full);
    expect({ broken, stopped }).to.deep.equal({ broken: "no space", stopped: undefined });
    expect(log).to.have.length(2 + others.length);
    expect(results).to.have.length(log.length);
    log.length = 0;
    const none = rollout(run, {
      keep() {
        throw new Error("no space");
      },
    });
    expect(await rollOut(none)).to.deep.equal({ results: [], broken: "no space" });
    expect(log).to.deep.equal([]);
  });

  it("counts the devices that a failure has held back", async () => {
    const { run } = fake(["site-00"]);
    const held: RunStack = async (stack, ...rest) => {
      const { outcomes, ...result } = await run(stack, ...rest);
      return { ...result, outcomes: new Map([...outcomes].filter(([device]) => device === "acme/car-00")) };
    };
    const whole = { name: "share", stacks: plan.stacks, failureLimit: 0.2 } as const;
    const rest = { name: "rest", stacks: [], failureLimit: 0.2 } as const;
    const { stopped } = await rollOut(rollout(held, { waves: [whole, rest] }));
    expect(stopped).to.equal("wave share: 1 of 20 devices failed and held 19 more back, and at most 20% may");
  });

  it("empties the stacks that have no site any more last, after the gate, and only where the last wave did well enough", async () => {
    const { log, run } = fake();
    const emptied: Plan = { ...plan, emptied: ["shard-9-of-4"] };
    const waves = wavesOf(emptied, { share: 1, maxFailures: 0.2 });
    const asked: string[] = [];
    const gate = async (_: WaveReport, next: Wave) => asked.push(next.name) > 0;
    await rollOut(rollout(run, { plan: emptied, waves, gate }));
    expect(asked).to.deep.equal(["share", "removal"]);
    expect(log.at(-1)).to.equal("up shard-9-of-4 emptied");
    log.length = 0;
    const ids = plan.stacks.flatMap(({ sites }) => sites.map(({ id }) => id)).filter((id) => id !== "site-00");
    const failing = fake(ids);
    const { stopped } = await rollOut(rollout(failing.run, { plan: emptied, waves }));
    expect(stopped).to.match(/^wave share: 19 of 20 devices failed/);
    expect(failing.log).not.to.include("up shard-9-of-4 emptied");
    await runAll({ ...rollout(run), plan: emptied }, "preview");
    const previews = largestFirst(plan.stacks).map(({ name }) => `preview ${name}`);
    expect(log).to.deep.equal([...previews, "preview shard-9-of-4 emptied"]);
  });
});
