import { misspelled } from "../../provider/configuration/configurationKeys";
import { fromId } from "../../provider/lifecycle/run/ids";
import { noSuchDevice } from "../../provider/lifecycle/run/messages";
import { IN_STACK, NAMESPACE, variableOf } from "../../provider/messages/names";
import type { EngineRun } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { inverter } from "../../provider/settings/inverter";
import { defined, type Properties } from "../../provider/settings/objects";
import { idSchema } from "../../provider/settings/schema";
import { withWireNames } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import type { OptionsOf } from "../command/record";
import { startCommandRun, textOfError } from "../environment";
import { runOfStack, subjectOf } from "../stacks/subject";
import { ask, canAsk } from "../terminal";
import { type Check, failed, failedBy, ok, skipped } from "./check";
import type { DOCTOR_OPTIONS } from "./command";
import { guessCheck } from "./guesses";
import { plan, send } from "./identityPatch";
import { configurationChecks, nodeCheck } from "./setup";
import { type ExaminedDevice, shapeChecks, structureOfDevice, typeOfDevice } from "./shape";

type DoctorOptions = OptionsOf<typeof DOCTOR_OPTIONS>;

/** The result of the doctor, as `--json` prints it. */
export interface Findings {
  readonly checks: readonly Check[];
}

/** The checks that must pass before a request. */
const NEEDED = ["configuration", "credential"];

/**
 * Checks the configuration, the service, and one device's object against the documented shape.
 * @throws Error if it cannot start
 */
export async function examined(options: DoctorOptions): Promise<Findings> {
  refuseWithoutDevice(options);
  const { run, checks: ofStack } = await configured(options);
  const meant = deviceMeant(options);
  const ofValues = await configurationChecks(run, meant);
  const setup = [nodeCheck(process.versions.node), ...ofStack, ...ofValues];
  const isUsable = !setup.some(({ name, outcome }) => NEEDED.includes(name) && outcome === "failed");
  return { checks: [...setup, ...(isUsable ? await examine(run, meant, options) : [])] };
}

/** A run with the configuration of the stack, if there is one; otherwise with that of the environment. */
async function configured(
  options: DoctorOptions,
): Promise<{ readonly run: EngineRun; readonly checks: readonly Check[] }> {
  const subject = subjectOf(options);
  const byEnvironment = (checks: readonly Check[]) => ({ run: startCommandRun(), checks });
  if (!subject || "manifest" in subject) return byEnvironment([]);
  try {
    const { stack, run, keys } = await runOfStack(subject, subject.stack);
    // Each key alone: without this, the right one beside it would hide a misspelled one.
    const wrong = keys.flatMap((key) => {
      // Keys that resemble none of ours may be those of a project with our name.
      const check = misspelled([key], {}, NAMESPACE).length > 0 ? failed : skipped;
      const advice = "Correct the key, or remove it, unless your program reads it";
      return misspelled([key], {}).map(({ finding }) => check("stack", finding, advice));
    });
    // Without this, users would correct a variable that the stack's configuration overrides.
    const of = (key: string) =>
      process.env[variableOf(key)] && !keys.includes(IN_STACK.of(key)) ? variableOf(key) : IN_STACK.of(key);
    const report = { ...run.report, names: { ...IN_STACK, of } };
    return { run: { ...run, report }, checks: [ok("stack", `${stack}, with the environment`), ...wrong] };
  } catch (error) {
    if (options.stack !== undefined) throw error;
    return byEnvironment([skipped("stack", `not read: ${textOfError(error)}`, "The environment alone is checked")]);
  }
}

function refuseWithoutDevice({ device, identityPatch, yes }: DoctorOptions): void {
  if (identityPatch === undefined) return;
  if (device === undefined) throw new Error("--identity-patch needs a device: name it with --device");
  if (!yes && !canAsk()) {
    throw new Error("--identity-patch sends an update. Without a terminal to ask you, it needs --yes");
  }
}

async function examine(run: EngineRun, meant: Partial<DeviceRef>, options: DoctorOptions): Promise<readonly Check[]> {
  const { deviceId, businessId = run.configuration().businessId } = meant;
  if (deviceId === undefined) {
    const advice =
      "Give --device ID to check the service too. The device is read once, from the cache: this wakes no car";
    return [skipped("service", "not asked", advice)];
  }
  const [wrong] = idSchema.safeParse(deviceId).error?.issues ?? [];
  if (wrong) return [failed("device", wrong.message, "Correct --device")];
  if (!idSchema.safeParse(businessId).success) return [];
  const ref = { businessId, deviceId } as DeviceRef;
  const { checks, device } = await reach(run, ref);
  if (!device) return checks;

  const type = typeOfDevice(device);
  const { inverterFields } = run.configuration();
  const kind = type === undefined || vehicle.accepts(type) ? vehicle : withWireNames(inverter, inverterFields ?? {});
  const structure = structureOfDevice(device, Object.values(ref));
  const shown: ExaminedDevice = { device, structure, type, kind };
  return [
    ...checks,
    ...shapeChecks(shown),
    ...(kind === vehicle ? [] : [guessCheck(shown, { isConfigured: inverterFields !== undefined })]),
    ...(options.identityPatch === undefined ? [] : [await tryName(run, ref, shown, options)]),
  ];
}

/** The findings of one cached read, and its answer; without an answer if the read failed. */
interface Reached {
  readonly checks: readonly Check[];
  readonly device?: Properties;
}

/** Checks of the service, the token and the device by one cached read without retries. */
async function reach({ service, report }: EngineRun, ref: DeviceRef): Promise<Reached> {
  try {
    const device = await service().readObject(ref, new AbortController().signal);
    const reached = [ok("service", "answers"), ok("token", "accepted")];
    if (device) return { checks: [...reached, ok("device", `the service knows '${ref.deviceId}'`)], device };
    const unknown = failedBy("device", noSuchDevice(ref), report);
    return { checks: [ok("service", "answers"), skipped("token", "not refused"), unknown] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { checks: checksOf(error, report) };
  }
}

function checksOf({ status, isUnauthorized, problem }: ServiceError, report: EngineRun["report"]): Check[] {
  const untried = (name: string) => skipped(name, "not checked: the read failed");
  if (isUnauthorized || status === 403) {
    const service = status === undefined ? untried("service") : ok("service", "answers");
    return [service, failedBy("token", problem, report), untried("device")];
  }
  return [failedBy("service", problem, report), untried("token"), untried("device")];
}

/** Shows the request, then sends one present value again. */
async function tryName(
  run: EngineRun,
  ref: DeviceRef,
  { device, kind }: ExaminedDevice,
  { identityPatch: key = "", yes }: DoctorOptions,
): Promise<Check> {
  const planned = plan(kind, device, key);
  if ("check" in planned) return planned.check;
  const { body } = planned;
  console.error(
    `This sends PATCH ${JSON.stringify(body)} to device '${ref.deviceId}', with the value that the device has now.`,
  );
  if (!yes && !(await ask("Send it?"))) return skipped("identity PATCH", "not sent");
  return await send(run, ref, kind, { key, body });
}

/**
 * The device that the options name. `business/device` also names its business, as plain text as in summaries, or
 * URI-encoded as in the id of a resource.
 */
function deviceMeant({ device }: { device?: string }): Partial<DeviceRef> {
  const [businessId, deviceId, ...more] = device?.split("/") ?? [];
  if (!businessId || !deviceId || more.length > 0) return defined({ deviceId: device });
  try {
    return fromId(`${businessId}/${deviceId}`);
  } catch {
    return { businessId, deviceId };
  }
}
