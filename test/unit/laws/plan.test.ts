import { expect } from "chai";
import fc from "fast-check";
import { setOf } from "../../../cli/review/approve";
import { compare } from "../../../cli/view/compare";
import { siteInState } from "../../../cli/view/state";
import type { DeviceSends } from "../../../provider/lifecycle/approval/sends";
import { isManaged } from "../../../provider/lifecycle/device/record";
import type { Change } from "../../../provider/lifecycle/run/changes";
import { sendsIn, sendsOf } from "../../../provider/lifecycle/site/approval";
import { type Plan, type PlannedDevice, planOf } from "../../../provider/lifecycle/site/plan";
import { fromSiteOutputs } from "../../../provider/lifecycle/site/state";
import type { Properties } from "../../../provider/settings/objects";
import { declaredSite } from "../../../provider/settings/planSite";
import { toPatch } from "../../../provider/settings/setting";
import type { NotedRun } from "../../support/fakes";
import { FORECAST, type Outcome, type SiteStack } from "../../support/sites";
import { anyNumbers, begin, EVENTS } from "./siteCommands";
import { kindOf, SITES, type SiteName, World } from "./siteWorld";

const { LAW_RUNS = "100" } = process.env;

/** A value that is sent to a device, or may be. */
const sentAs = (deviceId: string, field: string, value: unknown) => JSON.stringify([deviceId, field, value]);
const fieldsAs = (deviceId: string, values: Properties) =>
  Object.entries(values).map(([field, value]) => sentAs(deviceId, field, value));

/** Whether an update reads the device before it sends anything. */
const isRead = ({ observe, values, known }: PlannedDevice) =>
  observe || !known || Object.keys(values).some((key) => !isManaged(known.settings[key]));

/** Two sites whose updates are compared with their plans. */
class PlannedWorld extends World {
  /** Number of updates that were compared, and of those that sent something. */
  compared = 0;
  sending = 0;
  /** All that was sent since the last update began. */
  readonly #sent: string[] = [];

  constructor() {
    super();
    const { beforeUpdate } = this.service;
    this.service.beforeUpdate = (device) => {
      this.#sent.push(...fieldsAs(device.deviceId, this.service.sent.at(-1) ?? {}));
      beforeUpdate(device);
    };
    for (const name of SITES) this.#watched(name, this.sites[name]);
  }

  #watched(name: SiteName, site: SiteStack): void {
    site.up = async (args: Properties, run: NotedRun = site.run()): Promise<Outcome> => {
      const before = site.outputs;
      const { inputs } = await site.check(args, run);
      const { changes } = await site.operations(run).diff(site.context({ isPreview: true }), before, inputs);
      const notes = sendsOf({ kind: undefined, name, olds: before, news: inputs }, run);
      const facts = { store: run.store, isUpdate: true };
      const plan = planOf(before && fromSiteOutputs(before), declaredSite(inputs), facts);
      const released = sendsIn({ devices: [], leaving: plan.leaving }, run);
      const isUnfinished = site.isUnfinished;
      this.#sent.length = 0;
      const { mayFail } = this;
      const outcome: Outcome = await Object.getPrototypeOf(site).up.call(site, args, run);
      this.compared += 1;
      if (this.#sent.length > 0) this.sending += 1;
      this.#expectShown(plan, changes, isUnfinished);
      this.#expectApproved(plan, notes, released);
      const isWhole = !mayFail && outcome.reasons.length === 0 && (changes.length > 0 || isUnfinished);
      if (isWhole) this.#expectDone(plan, site);
      const state = { kind: "site" as const, urn: "", name, secrets: [] };
      if (site.outputs) {
        const view = siteInState("dev", { ...state, inputs: site.inputs ?? {}, outputs: site.outputs });
        expect(compare(view, view).devices, "compare(a, a)").to.deep.equal([]);
      }
      return outcome;
    };
  }

  /** The diff shows what is sent and which devices leave, and nothing if nothing happens. */
  #expectShown({ before, devices, leaving }: Plan, changes: readonly Change[], isUnfinished: boolean): void {
    const shown = new Set(
      changes.flatMap((change) => {
        if (change.kind === "leaves" || change.kind === "new") return [`${change.kind} ${change.device.name}`];
        return change.kind === "value" ? [`${change.device?.name} ${change.key} ${change.after}`] : [];
      }),
    );
    for (const device of devices) {
      const { before: kept, send } = device;
      for (const [key, value] of Object.entries(send)) {
        const isShown = shown.has(`new ${device.name}`) || shown.has(`${device.name} ${key} ${value}`);
        expect(isShown, `${device.name} ${key} is shown`).to.equal(true);
      }
      if (!kept) expect(shown.has(`new ${device.name}`), `${device.name} is new`).to.equal(true);
    }
    for (const { name } of leaving) expect(shown.has(`leaves ${name}`), `${name} leaves`).to.equal(true);
    if (before && changes.length === 0 && !isUnfinished) expect(this.#sent, "sent without a change").to.deep.equal([]);
  }

  /** The approved set has what may be sent, and the update sends nothing else. */
  #expectApproved({ devices }: Plan, notes: readonly DeviceSends[], released: readonly DeviceSends[]): void {
    const resource = { project: "home", stack: "dev", service: "", devices: notes };
    const { stacks } = setOf([resource], { repair: false });
    const allowed = new Set(
      stacks.flatMap((stack) =>
        stack.devices.flatMap(({ deviceId, sends }) => sends.map(({ field, value }) => sentAs(deviceId, field, value))),
      ),
    );
    const planned = devices.flatMap(({ deviceId, send, open }) =>
      fieldsAs(deviceId, toPatch(kindOf(deviceId), { ...send, ...open })),
    );
    const restored = released.flatMap(({ deviceId, sends }) =>
      sends.flatMap(({ field, value, why }) => (why === "release" ? [sentAs(deviceId, field, value)] : [])),
    );
    expect([...allowed].sort()).to.deep.equal([...new Set([...planned, ...restored])].sort());
    expect(
      this.#sent.filter((one) => !allowed.has(one)),
      "sent without an approval",
    ).to.deep.equal([]);
  }

  /** Without a fault, all that was planned is done, and the site is as ready as planned. */
  #expectDone(plan: Plan, site: SiteStack): void {
    for (const device of plan.devices) {
      const { send } = device;
      const { deviceId } = device;
      for (const [key, value] of Object.entries(send)) {
        // A read can show a gap that holds the policy.
        if (key === "policy" && value === FORECAST && plan.devices.some(isRead)) continue;
        expect(this.settings(deviceId)[key], `${key} of ${deviceId}`).to.equal(value);
        if (isRead(device)) continue;
        const [patch] = fieldsAs(deviceId, toPatch(kindOf(deviceId), { [key]: value }));
        expect(this.#sent).to.include(patch);
      }
    }
    if (!plan.devices.some(isRead)) {
      expect(site.outputs?.ready, "ready").to.equal(plan.ready);
      expect(site.outputs?.gaps, "gaps").to.have.deep.members([...plan.gaps]);
    }
  }
}

describe("the plan of a site, whatever is declared, edited, lost, stopped and in doubt", () => {
  it("says what its update sends, what its diff shows, and what an approved set has", async () => {
    let [compared, sending] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyNumbers, { minLength: 5, maxLength: 5 }),
        fc.commands(EVENTS, { maxCommands: 40, size: "max" }),
        async (numbers, commands) => {
          const world = new PlannedWorld();
          begin(world, numbers);
          await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
          compared += world.compared;
          sending += world.sending;
        },
      ),
      { numRuns: Number(LAW_RUNS) },
    );
    expect(compared, "updates").to.be.at.least(Number(LAW_RUNS) * 5);
    expect(sending, "updates that send").to.be.at.least(Number(LAW_RUNS));
  });
});
