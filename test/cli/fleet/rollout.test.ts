import { expect } from "chai";
import { type RolloutOptions, rollOut, runAll } from "../../../cli/fleet/rollout";
import type { WaveReport } from "../../../cli/fleet/waveReport";
import { type Wave, type WaveStack, wavesOf } from "../../../cli/fleet/waves";
import type { RolloutProgress } from "../../../cli/stacks/fleetRecord";
import type { Outcome } from "../../../cli/stacks/outcome";
import { declaredDevicesOf, largestFirst, type Plan, planOf, type StackPlan } from "../../../cli/stacks/plan";
import type { RunStack } from "../../../cli/stacks/stack";
import { notReviewed } from "../../../provider/lifecycle/run/messages";
import { like } from "../../support/facts";
import { said } from "../../support/fakes";
import { siteOutcomeOf, summarized } from "../../support/outcomes";
import { fleetOf } from "./fleets";

describe("cli fleet: a rollout", () => {
  const plan = planOf(fleetOf(4, 20), []);
  // The alphabetically first site is in this stack.
  const canaryStack = plan.stacks.find(({ sites }) => sites.some(({ id }) => id === "site-00"))?.name as string;
  const others = largestFirst(plan.stacks)
    .map(({ name }) => name)
    .filter((name) => name !== canaryStack);

  const names = (stacks: readonly StackPlan[]) => stacks.map(({ name }) => name);
  /** A whole stack in one wave. */
  const whole = (stack: StackPlan): WaveStack => ({ ...stack, own: stack.sites, isPart: false });
  const waveOf = (name: string, stacks: readonly StackPlan[], failureLimit: number): Wave => ({
    ...{ name, stacks: stacks.map(whole), isRemoval: false, failureLimit },
  });
  const NOTHING: RolloutProgress = { done: {}, soaked: [], released: [], revisions: {} };

  /** Records which stacks run. The cars of `failing` sites fail, and `held` stacks do not start. */
  function fake(failing: readonly string[] = [], held: readonly string[] = []) {
    const log: string[] = [];
    const run: RunStack = async ({ name: stack, sites }, operation, _, { only, isEmptied }) => {
      log.push([operation, stack, only && `${only.length} sites`, isEmptied && "emptied"].filter(Boolean).join(" "));
      const outcomes = sites
        .filter(({ id }) => only === undefined || only.includes(id))
        .map(({ id }): Outcome => {
          const result = failing.includes(id) ? "failed" : "changed";
          return { device: `acme/${id.replace("site", "car")}`, site: id, label: "vehicle/car", result };
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

  /** The canary, then its stack, then the others. */
  const waves = (): Wave[] => {
    const ofCanary = plan.stacks.filter(({ name }) => name === canaryStack);
    const rest = plan.stacks.filter(({ name }) => name !== canaryStack);
    const own = ofCanary.flatMap(({ sites }) => sites.filter(({ id }) => id === "site-00"));
    const canary = { ...waveOf("canary", [], 0), stacks: ofCanary.map((stack) => ({ ...stack, own, isPart: true })) };
    return [canary, waveOf("share", ofCanary, 0.2), waveOf("rest", rest, 0.2)];
  };

  function rollout(run: RunStack, options: Partial<RolloutOptions> = {}): RolloutOptions & { kept: RolloutProgress[] } {
    const kept: RolloutProgress[] = [];
    return {
      plan,
      waves: waves(),
      minDevices: 1000,
      clock: { now: () => new Date(0), until: async () => {} },
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
      log() {},
      kept,
      ...options,
    };
  }

  it("runs the canary's site alone, then its stack, then the rest", async () => {
    const { log, run } = fake();
    const { stopped } = await rollOut(rollout(run));
    expect(stopped).to.equal(undefined);
    expect(log).to.deep.equal([
      `up ${canaryStack} 1 sites`,
      `up ${canaryStack}`,
      ...others.map((name) => `up ${name}`),
    ]);
  });

  it("stops at a canary that fails, and begins with it again", async () => {
    const { log, run } = fake(["site-00"]);
    const first = rollout(run);
    expect((await rollOut(first)).stopped).to.match(/^wave canary: 1 \w+ 1 devices failed/);
    expect(log).to.deep.equal([`up ${canaryStack} 1 sites`]);
    expect(first.kept.at(-1)).to.deep.equal({ ...NOTHING, revisions: { [canaryStack]: "of 1" } });
  });

  it("continues after failures within the limit, and stops after more", async () => {
    const stack = plan.stacks.find(({ name }) => name === canaryStack);
    const ids = (stack?.sites ?? []).map(({ id }) => id).slice(1);
    const few = await rollOut(rollout(fake(ids.slice(0, Math.floor(ids.length * 0.2))).run));
    expect(few.stopped).to.equal(undefined);
    const many = await rollOut(rollout(fake(ids).run));
    expect(many.stopped).to.match(/^wave share: \d+ \w+ \d+ devices failed; .* 20% .*/);
  });

  for (const order of ["first", "last"]) {
    it(`counts a moved device that fails against its wave; its former stack runs ${order}`, async () => {
      const [one, other, ...rest] = largestFirst(plan.stacks);
      const [former, latter] = (order === "first" ? [one, other] : [other, one]) as [StackPlan, StackPlan];
      const moved = declaredDevicesOf(latter, "acme");
      const { run } = fake(latter.sites.map(({ id }) => id));
      const letGo: RunStack = async (stack, ...rest) => {
        const result = await run(stack, ...rest);
        const left = stack.name === former.name ? moved : [];
        const outcomes = left.map((one): Outcome => ({ ...one, result: "changed", onDelete: "restore" }));
        return {
          ...result,
          outcomes: new Map([...result.outcomes, ...outcomes.map((out) => [out.device, out] as const)]),
        };
      };
      const waves = [waveOf("share", [former, latter], 0.05), waveOf("rest", rest, 0.05)];
      const { stopped } = await rollOut(rollout(letGo, { waves }));
      const all = moved.length + former.sites.length;
      expect(stopped).to.match(like(`wave share: ${moved.length} … ${all} devices failed; … 5% …`));
    });
  }

  it("stops if a stack of a wave could not be run", async () => {
    const { log, run } = fake([], [canaryStack]);
    expect((await rollOut(rollout(run))).stopped).to.match(like(`wave canary: ${canaryStack} …`));
    expect(log).to.have.length(1);
  });

  it("continues with the rest as soon as it is released", async () => {
    const { log, run } = fake();
    const asked: string[] = [];
    const gate = (refused?: string) => async (done: WaveReport, next: Wave) => {
      asked.push(`${done.wave} ${next.name}`);
      return done.wave !== refused;
    };
    const first = rollout(run, { gate: gate("share") });
    expect((await rollOut(first)).stopped).to.match(/gate.* share\. /);
    expect(asked.splice(0)).to.deep.equal(["canary share", "share rest"]);
    log.length = 0;
    const again = rollout(run, { gate: gate("share"), progress: first.kept.at(-1) });
    expect((await rollOut(again)).stopped).to.match(/gate.* share\. /);
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
    const log = (line: string) => said.push(line);
    const first = rollout(fake([failing]).run, { gate, log });
    await rollOut(first);
    await rollOut(rollout(fake().run, { gate, log, progress: first.kept.at(-1) }));
    const ofShare = { wave: "share", ok: share, failed: 0, notDone: 0 };
    expect(counts).to.deep.equal([{ wave: "canary", ok: 1, failed: 0, notDone: 0 }, ofShare, ofShare]);
    expect(said.filter((line) => line.startsWith(`wave share: ${share} ok, 0 failed. Next: rest, `))).to.have.length(2);
  });

  it("asks nothing between waves of which nothing is left", async () => {
    const { run } = fake();
    const never = async () => expect.fail("asked");
    const done = Object.fromEntries(waves().map((wave) => [wave.name, names(wave.stacks)]));
    await rollOut(rollout(run, { gate: never, progress: { ...NOTHING, done } }));
  });

  it("holds failures against the stacks that were run, not those that an earlier run was through with", async () => {
    const failing = plan.stacks
      .find(({ name }) => name === others[0])
      ?.sites.slice(0, 1)
      .map(({ id }) => id);
    const all = [waveOf("share", plan.stacks, 0.5), waveOf("rest", [], 0)];
    const done = { share: names(plan.stacks).filter((name) => name !== others[0]) };
    const { stopped } = await rollOut(rollout(fake(failing).run, { waves: all, progress: { ...NOTHING, done } }));
    expect(stopped).to.equal(undefined);
  });

  it("does not count a stack as done if nothing is known of its devices", async () => {
    const silent: RunStack = async ({ name: stack }) => ({
      stack,
      outcomes: new Map(),
      sites: [],
      warnings: [],
      revision: "one",
    });
    const first = rollout(silent);
    await rollOut(first);
    expect(first.kept.at(-1)?.done).to.deep.equal({});
  });

  it("does not count a stack as done if the backend does not list it", async () => {
    const { run } = fake();
    const unsaid: RunStack = async (...args) => {
      const { revision: _, ...result } = await run(...args);
      return result;
    };
    const first = rollout(unsaid);
    await rollOut(first);
    expect(first.kept.at(-1)).to.deep.equal({ ...NOTHING, released: ["canary", "share"] });
  });

  it("forgets the progress of a stack before it runs it again, because a kill leaves it unknown", async () => {
    const { run } = fake();
    const known: unknown[] = [];
    const first = rollout(async (stack, ...rest) => {
      known.push(first.kept.at(-1)?.revisions[stack.name]);
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
        async (stack, operation, signal, options) => {
          numbers.push(options.atOnce);
          return await run(stack, operation, signal, options);
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

  it("starts nothing after an interruption, and keeps the results", async () => {
    const controller = new AbortController();
    const { log, run } = fake();
    const interrupted = rollout(
      async (stack, ...rest) => {
        if (stack.name !== canaryStack) controller.abort();
        return await run(stack, ...rest);
      },
      { signal: controller.signal },
    );
    await rollOut(interrupted);
    expect(log).to.have.length(3);
    expect(interrupted.kept.at(-1)).to.deep.equal({
      ...{
        done: { canary: [`${canaryStack} site-00`], share: [canaryStack] },
        soaked: [],
        released: ["canary", "share"],
      },
      revisions: { [canaryStack]: "of 2" },
    });
  });

  it("takes a stack as done only as far as an earlier run went, if its waves were others", async () => {
    const { log, run } = fake();
    const progress = { ...NOTHING, done: { share: [`${canaryStack} site-00`] } };
    await rollOut(rollout(run, { progress, waves: waves().slice(1) }));
    expect(log).to.include(`up ${canaryStack}`);
  });

  it("takes a stack that was applied as a whole as done in every wave", async () => {
    const { log, run } = fake();
    await rollOut(rollout(run, { progress: { ...NOTHING, done: { rest: [canaryStack] } } }));
    expect(log).to.deep.equal(others.map((name) => `up ${name}`));
  });

  it("starts nothing if its record cannot be written, and reports the results so far", async () => {
    const { log, run } = fake();
    const full = rollout(run, {
      parallel: 3,
      keep({ done }) {
        if (done.rest) throw new Error("no space");
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
    const all = [waveOf("share", plan.stacks, 0.2), waveOf("rest", [], 0.2)];
    const { stopped } = await rollOut(rollout(held, { waves: all }));
    expect(stopped).to.match(/^wave share: 1 \w+ 20 devices failed, 19 .*; .* 20% /);
  });

  it("empties the stacks that have no site any more last, after the gate, and only if the last wave did well enough", async () => {
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
    expect(stopped).to.match(/^wave share: 19 \w+ 20 devices failed/);
    expect(failing.log).not.to.include("up shard-9-of-4 emptied");
    await runAll({ ...rollout(run), plan: emptied }, "preview");
    const previews = largestFirst(plan.stacks).map(({ name }) => `preview ${name}`);
    expect(log).to.deep.equal([...previews, "preview shard-9-of-4 emptied"]);
  });

  describe("while a wave runs", () => {
    /** Reports each device of a stack, failed or not, until the signal aborts. The other devices are then not done. */
    const stepping =
      (failing: (site: string) => boolean): RunStack =>
      async ({ name: stack, sites }, _, signal, { onDevice }) => {
        const outcomes = new Map<string, Outcome>();
        for (const { id } of sites) {
          if (signal.aborted) break;
          const device = `acme/${id}`;
          const result = failing(id) ? "failed" : "changed";
          outcomes.set(device, { device, site: id, label: "vehicle/car", result });
          onDevice?.({ device, stage: "read", isFailed: false });
          onDevice?.({ device, stage: "done", isFailed: failing(id) });
        }
        return { stack, outcomes, sites: [], warnings: [], revision: "one" };
      };
    const all = [waveOf("rest", plan.stacks, 0.2)];

    it("ends it as soon as too many of its devices failed, and begins no other stack", async () => {
      const { results, stopped } = await rollOut(
        rollout(
          stepping(() => true),
          { waves: all, minDevices: 3 },
        ),
      );
      expect(stopped).to.match(/^wave rest: 3 \w+ 20 devices failed, 17 .*; .* 20% /);
      expect(results.map(({ outcomes }) => outcomes.size)).to.deep.equal([3]);
    });

    it("looks at no failure before enough devices are done", async () => {
      const waves = [waveOf("share", plan.stacks, 0.2), waveOf("rest", [], 0.2)];
      const { results, stopped } = await rollOut(
        rollout(
          stepping(() => true),
          { waves, minDevices: 21 },
        ),
      );
      expect(stopped).to.match(/^wave share: 20 \w+ 20 devices failed; .* 20% /);
      expect(results).to.have.length(4);
    });

    it("keeps the results of a stopped stack, and does not count it as done", async () => {
      const first = rollout(
        stepping(() => true),
        { waves: all, minDevices: 3 },
      );
      await rollOut(first);
      const [stack] = largestFirst(plan.stacks);
      expect(first.kept.at(-1)).to.deep.equal({ ...NOTHING, revisions: { [stack?.name ?? ""]: "one" } });
    });
  });

  describe("that watches a wave", () => {
    const soaking = (): Wave[] => waves().map((wave) => (wave.name === "share" ? { ...wave, soak: 1800 } : wave));
    /**
     * A second read finds that the cars of the drifted sites have changed, or that the stopping sites are no longer
     * ready.
     */
    const reading = (run: RunStack, drifted: readonly string[], stopping: readonly string[] = []): RunStack => {
      return async (stack, operation, ...rest) => {
        const result = await run(stack, operation, ...rest);
        if (operation !== "drift") return result;
        const outcomes = [...result.outcomes].map(([device, outcome]) => {
          const found = drifted.includes(outcome.site) ? ("changed" as const) : ("unchanged" as const);
          return [device, { ...outcome, result: found }] as const;
        });
        const sites = stopping.map((site) => siteOutcomeOf({ site, readyBefore: true, readyAfter: false }));
        return { ...result, outcomes: new Map(outcomes), sites };
      };
    };
    const ids = plan.stacks.find(({ name }) => name === canaryStack)?.sites.map(({ id }) => id) ?? [];

    it("continues although a site that nobody has approved has drifted", async () => {
      const { run } = fake();
      const problem = notReviewed([], "sha256:a");
      const leaving: RunStack = async (...args) => {
        const result = await run(...args);
        const outcomes = [...result.outcomes].map(([device, one]): [string, Outcome] => {
          return [device, one.site === ids[1] ? { ...one, result: "held", problem } : one];
        });
        return { ...result, outcomes: new Map(outcomes) };
      };
      const strict = soaking().map((wave) => ({ ...wave, failureLimit: 0 }));
      const done = await rollOut(rollout(reading(leaving, ids.slice(1, 2)), { waves: strict }));
      expect(done).to.not.have.property("stopped");
      const { held, failed, left } = summarized(
        { fleet: "acme", operation: "up", calls: [], interrupted: false },
        done.results,
      );
      expect([failed, held, left?.map(({ sites }) => sites)]).to.deep.equal([0, 0, [[ids[1]]]]);
    });

    it("waits, reads its devices once more, and continues", async () => {
      const { log, run } = fake();
      const waited: string[] = [];
      const clock = { now: () => new Date(0), until: async (date: Date) => void waited.push(date.toISOString()) };
      expect(await rollOut(rollout(reading(run, []), { waves: soaking(), clock }))).to.not.have.property("stopped");
      expect(waited).to.deep.equal(["1970-01-01T00:30:00.000Z"]);
      expect(log[2]).to.equal(`drift ${canaryStack} ${ids.length} sites`);
    });

    for (const [what, drifted, stopping] of [
      ["are no longer as declared", ids, []],
      ["are of a site that stopped being ready", [], ids],
    ] as const) {
      it(`counts as failed the devices that ${what}, and applies them again`, async () => {
        const { log, run } = fake();
        const first = rollout(reading(run, drifted, stopping), { waves: soaking() });
        const { stopped, results } = await rollOut(first);
        expect(stopped).to.match(/^wave share: \d+ \w+ \d+ devices failed; .* 20% .*\(.*\)$/);
        expect([...(results.at(-1)?.outcomes.values() ?? [])].map(({ problem }) => problem?.code)).to.deep.equal(
          ids.map(() => "notSteady"),
        );
        expect(first.kept.at(-1)?.watch).to.equal(undefined);
        log.length = 0;
        const again = rollout(reading(run, []), { waves: soaking(), progress: first.kept.at(-1) });
        expect(await rollOut(again)).to.not.have.property("stopped");
        expect(log.slice(0, 2)).to.deep.equal([`up ${canaryStack}`, `drift ${canaryStack} ${ids.length} sites`]);
      });
    }

    it("continues with a wait that was cut short, and does not repeat one that is over", async () => {
      const { run } = fake();
      const waited: string[] = [];
      const killed = new AbortController();
      const clock = { now: () => new Date(0), until: async (date: Date) => void waited.push(date.toISOString()) };
      const first = rollout(reading(run, []), {
        waves: soaking(),
        signal: killed.signal,
        clock: { ...clock, until: async () => killed.abort() },
      });
      await rollOut(first);
      const later = { ...clock, now: () => new Date(600_000) };
      const again = rollout(reading(run, []), { waves: soaking(), clock: later, progress: first.kept.at(-1) });
      await rollOut(again);
      expect(waited.splice(0)).to.deep.equal(["1970-01-01T00:30:00.000Z"]);
      await rollOut(rollout(reading(run, []), { waves: soaking(), clock: later, progress: again.kept.at(-1) }));
      expect(waited).to.deep.equal([]);
    });
  });
});
