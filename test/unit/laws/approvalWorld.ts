import { readFileSync, writeFileSync } from "node:fs";
import { setOf, textOfSet } from "../../../cli/review/approve";
import { sendsInSteps } from "../../../cli/review/sends";
import type { Preview } from "../../../cli/view/pulumiPreview";
import { digestOf } from "../../../provider/lifecycle/approval/approved";
import { acceptedOf, baselinesIn } from "../../../provider/lifecycle/device/record";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { fromSiteOutputs, type StoredDevice } from "../../../provider/lifecycle/site/state";
import { MessageError } from "../../../provider/messages/message";
import { toPatch, type Value, type Values } from "../../../provider/settings/setting";
import { contextOf } from "../../support/fakes";
import { FORECAST, refOf, urnOf } from "../../support/sites";
import { numbered } from "./commands";
import { CARS, kindOf, ROOFS, SITES, type SiteName, World } from "./siteWorld";

/** A field of a device with a value: `car1 max_capacity 77000`. */
const sentAs = (deviceId: string, field: string, value: unknown) => JSON.stringify([deviceId, field, value]);

/** Two sites whose change somebody reviews, and that somebody edits afterwards. */
export class ReviewedWorld extends World {
  /** All that was sent since the review. */
  readonly sent: string[] = [];
  /** The requests of sites that were refused, and the texts of all errors. */
  readonly requestsOfRefused: string[] = [];
  readonly texts: string[] = [];
  /** The stack of the run, and the names of secret settings. */
  stack = "dev";
  secrets: readonly string[] = [];
  /** The values that the review has shown, computed without the code under test. */
  allowed = new Set<string>();
  digest = "";
  readonly #environment: NodeJS.ProcessEnv = {};

  constructor(private readonly place: (name: string) => string) {
    super();
    for (const name of SITES) {
      const site = this.sites[name];
      Object.assign(site, {
        run: (changes = {}) => {
          Object.assign(site.environment, this.#environment);
          return Object.getPrototypeOf(site).run.call(site, changes);
        },
        context: (facts = {}) => {
          const urn = urnOf(name).replace(":dev::", `:${this.stack}::`);
          return contextOf(urn, { secrets: new SecretInputs(this.secrets), ...facts });
        },
      });
    }
    for (const deviceId of [...CARS, ...ROOFS]) {
      const kind = kindOf(deviceId);
      this.service.put(refOf(deviceId), toPatch(kind, numbered(kind, [3, 3, 3, 3, 3])));
    }
    this.service.beforeRead = () => {};
    this.service.afterUpdate = () => {};
    this.service.onShown = () => {};
    this.service.onAccepted = () => {};
    this.service.beforeUpdate = ({ deviceId }) => {
      for (const [field, value] of Object.entries(this.service.sent.at(-1) ?? {})) {
        this.sent.push(sentAs(deviceId, field, value));
      }
    };
  }

  get file(): string {
    return this.place("approved.json");
  }

  /** @param value empty for a variable that is not set */
  set(variable: string, value: string): void {
    this.#environment[variable] = value || undefined;
  }

  /** `pulumi up` with these sites in this order. @returns the codes of its refusals */
  async apply(order: readonly SiteName[] = SITES): Promise<string[]> {
    const run = this.sites.east.run();
    const declared = order.filter((site) => this.program[site].size > 0);
    for (const site of declared) await this.sites[site].check(this.argumentsOf(site), run);
    const codes: string[] = [];
    for (const site of order) {
      const stack = this.sites[site];
      if (!declared.includes(site) && !stack.outputs) continue;
      const { error, requests } = await (declared.includes(site)
        ? stack.up(this.argumentsOf(site), run)
        : stack.destroy(run));
      if (!error) continue;
      // A device that has moved, and drifted since, is refused after its read. Each refusal names the set.
      const isOfDevices = error.message.includes(this.digest);
      const code = error instanceof MessageError ? error.problem.code : isOfDevices ? "devicesRefused" : error.message;
      codes.push(code);
      this.texts.push(error.message);
      if (code === "notReviewed") this.requestsOfRefused.push(...requests);
    }
    return codes;
  }

  /** Previews the program, and approves it. @param repair whether drift may be repaired */
  async review(repair: boolean): Promise<void> {
    this.set("SOLAR_CHARGING_APPROVED", "");
    const run = this.sites.east.run();
    const steps: Preview["steps"] = [];
    for (const name of SITES) {
      const site = this.sites[name];
      const { urn = "", secrets } = site.context({ isPreview: true });
      const oldState = site.outputs && { outputs: { ...secrets.shown(site.outputs) } };
      if (this.program[name].size === 0) {
        steps.push({ op: "delete", urn, oldState });
        continue;
      }
      const { inputs } = await site.check(this.argumentsOf(name), run, { isPreview: true });
      steps.push({ op: "update", urn, oldState, newState: { inputs: { ...secrets.shown(inputs) } } });
    }
    // Another process reviews the preview.
    const sends = sendsInSteps(this.sites.east.run(), JSON.parse(JSON.stringify(steps)));
    const service = "https://api.example.com";
    const resources = sends.map(({ devices }) => ({ service, project: "home", stack: "dev", devices }));
    const text = textOfSet(setOf(resources, { repair }));
    writeFileSync(this.file, text);
    this.digest = digestOf(text);
    this.set("SOLAR_CHARGING_APPROVED", `${this.file}#${this.digest}`);
    this.allowed = this.#reviewed(repair);
    this.sent.length = 0;
  }

  /** Edits the file with the set. */
  editSet(edit: (text: string) => string): void {
    writeFileSync(this.file, edit(readFileSync(this.file, "utf8")));
  }

  /** The values that the change may send, from the program and the state alone. */
  #reviewed(repair: boolean): Set<string> {
    const allowed: string[] = [];
    const add = (deviceId: string, values: Values) => {
      for (const [field, value] of Object.entries(toPatch(kindOf(deviceId), values)))
        allowed.push(sentAs(deviceId, field, value));
    };
    const all = SITES.map((site) => {
      const { outputs } = this.sites[site];
      const devices = outputs ? fromSiteOutputs(outputs).devices : [];
      return { site, kept: new Map(devices.map((one) => [one.deviceId, one])) };
    });
    // Somebody else's later value of a device that only gets another site is in no review.
    const isKnown = (deviceId: string, key: string, value: Value) =>
      all.some(({ kept }) => isAccepted(kept.get(deviceId), key, value));
    const isElsewhere = (deviceId: string, key: string) =>
      SITES.some((site) => {
        const declared = this.program[site].get(deviceId);
        return declared?.observe !== true && declared?.values[key] !== undefined;
      });
    for (const { site, kept } of all) {
      for (const [deviceId, { values, observe }] of this.program[site]) {
        if (observe) continue;
        const policy: Values = CARS.includes(deviceId) && this.solar[site] !== false ? { policy: FORECAST } : {};
        for (const [key, value] of Object.entries({ ...policy, ...values })) {
          if (repair || !isKnown(deviceId, key, value)) add(deviceId, { [key]: value });
        }
      }
      for (const [deviceId, state] of kept) {
        if (state.observe || this.program[site].has(deviceId)) continue;
        const restore = (key: string, value: Value | undefined) => {
          if (value !== undefined && !isElsewhere(deviceId, key)) add(deviceId, { [key]: value });
        };
        if (state.onDelete === "restore") {
          for (const [key, value] of Object.entries(baselinesIn(state.settings))) restore(key, value);
        }
        if (state.onDelete === "reset") {
          for (const [key, setting] of Object.entries(kindOf(deviceId).settings)) restore(key, setting.default);
        }
      }
    }
    return new Set(allowed);
  }
}

/** Whether state has this value as accepted, so that only drift makes an update send it. */
function isAccepted(kept: StoredDevice | undefined, key: string, value: Value): boolean {
  return kept !== undefined && !kept.observe && acceptedOf(kept.settings[key]) === value;
}
