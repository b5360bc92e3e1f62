import { grouped } from "../../measure/sky/numbers";
import { viewOf } from "../../provider/engine/viewOf";
import { inParallel } from "../../provider/lifecycle/run/pool";
import { type Audience, inGeneral, type Message, problemOf, textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import { type DeviceRef, deviceName, fingerprintOf } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { kindOf } from "../../provider/settings/groups";
import { defined, pick } from "../../provider/settings/objects";
import { keysOf, type Values } from "../../provider/settings/setting";
import { explainStatus } from "../../provider/status/explain";
import { withReported } from "./device";
import { hasSecretId } from "./exported";
import type { DeviceProblem, DeviceView, OwnStatus, SiteView } from "./model";
import { observedOf } from "./readiness";

/** The result of a device's cached read. */
export type Finding =
  | { readonly view: ReturnType<typeof viewOf>; readonly physicalDevice?: string }
  | { readonly problem: DeviceProblem };

/** The results of the cached reads, by `business/device`. */
export type Findings = ReadonlyMap<string, Finding>;

interface Observing {
  /** Called after each device. */
  onProgress(): void;
  readonly audience?: Audience;
  /** Collects the results, even if a read throws or the process ends. */
  readonly found?: Map<string, Finding>;
}

/** Number of devices of a business without an answer for the same reason, before the others are not asked (our choice). */
const FEW = 5;

/**
 * The cached read of each device, once, as many at a time as the configuration allows. If the first devices of a business
 * get no answer for the same reason, the others get that reason. Without this, an outage would be waited for at each device.
 * @throws ServiceError if the service accepts no token: every other device would fail in the same way
 */
export async function observe(
  run: EngineRun,
  devices: readonly (DeviceRef & Partial<Pick<DeviceView, "secret">>)[],
  { onProgress, audience = {}, found = new Map() }: Observing,
): Promise<Findings> {
  // The service's words can contain the value of a secret setting.
  const areSecret = devices.some(({ secret = [] }) => secret.length > 0);
  const { inverterFields = {}, maxConcurrency } = run.configuration();
  const service = run.service();
  const unknown: DeviceRef[] = [];
  /** The failures of each business that has answered nothing, and has only failed for one reason. */
  const failures = new Map(devices.map(({ businessId }): [string, Message[]] => [businessId, []]));
  /** Whether the failures of some devices stand for those of all devices of their business. */
  const isOutage = (businessId: string) => (failures.get(businessId)?.length ?? 0) >= FEW;
  const skipped: DeviceRef[] = [];
  let isStopped = false;
  const task = async (ref: DeviceRef) => {
    const { businessId } = ref;
    if (isOutage(businessId)) {
      skipped.push(ref);
      return;
    }
    try {
      const device = await service.readDevice(ref, new AbortController().signal);
      failures.delete(businessId);
      if (!device) {
        unknown.push(ref);
        return;
      }
      const view = viewOf(ref, device, inverterFields);
      const physicalDevice = fingerprintOf(view, { phys_id: view.personal.physId });
      found.set(deviceName(ref), { view, ...defined({ physicalDevice }) });
    } catch (error) {
      isStopped = error instanceof ServiceError && error.isUnauthorized;
      if (isStopped) throw error;
      const problem = areSecret ? inGeneral(problemOf(error)) : problemOf(error);
      const same = failures.get(businessId) ?? [];
      const causes = new Set([...same.slice(0, 1), problem].map((one) => textOf(inGeneral(one))));
      const isUnanswered = error instanceof ServiceError && (error.transient || error.status === undefined);
      if (isUnanswered && causes.size === 1) same.push(problem);
      else failures.delete(businessId);
      found.set(deviceName(ref), unread(problem, audience));
    } finally {
      onProgress();
    }
  };
  const unique = new Map(devices.map((ref) => [deviceName(ref), ref]));
  await inParallel([...unique.values()], maxConcurrency, task, () => isStopped);
  // Those of a business that answered a request which was then under way.
  const known = skipped.filter(({ businessId }) => !isOutage(businessId));
  await inParallel(known, maxConcurrency, task, () => isStopped);
  for (const ref of unknown) found.set(deviceName(ref), await goneOrUnread(service, ref, audience));
  for (const [businessId, ofBusiness] of grouped([...unique], ([, ref]) => ref.businessId)) {
    const some = failures.get(businessId) ?? [];
    const [first] = some;
    if (!first || !isOutage(businessId)) continue;
    const extracts = some.map(({ extract = "" }) => extract);
    const finding = unread(inGeneral(first, extracts), audience);
    for (const [name] of ofBusiness) found.set(name, finding);
  }
  return found;
}

/** Distinguishes a missing device from a wrong address: at a wrong address, every device seems missing. */
async function goneOrUnread(
  service: ReturnType<EngineRun["service"]>,
  ref: DeviceRef,
  audience: Audience,
): Promise<Finding> {
  try {
    await service.confirmGone(ref);
    return { problem: { code: "gone", finding: "the service does not know it: check deviceId and businessId" } };
  } catch (error) {
    // A command that only reads removes nothing, so it needs no leave to do so.
    const { advice: _, ...problem } = problemOf(error);
    const advice = "Check {baseUrl} and businessId";
    return unread({ ...problem, advice }, audience);
  }
}

/** The reason why a device could not be read, without its name, which is shown beside it. */
function unread(problem: Message, audience: Audience): Finding {
  return { problem: { code: "unread", finding: textOf(problem, { ...audience, isBesideDevice: true }) } };
}

/** The site with the present values of its devices. */
export function withReads(site: SiteView, found: Findings): SiteView {
  const devices = site.devices.map((device) => withRead(device, found));
  return { ...site, ...(site.solar && { observed: observedOf({ ...site, devices }) }), devices };
}

/** The finding about a device that cannot be read because its ids are not known. */
function notAsked(device: DeviceView): Finding {
  const finding = hasSecretId(device)
    ? "its id is a secret, which this command does not decrypt"
    : "its business is not known: declare businessId, or set SOLAR_CHARGING_BUSINESS_ID";
  return { problem: { code: "unread", finding } };
}

function withRead(device: DeviceView, found: Findings): DeviceView {
  const finding = found.get(device.device) ?? notAsked(device);
  if ("problem" in finding) {
    const { code, finding: words } = finding.problem;
    const now = code === "gone" ? sameDeviceIn(found, device) : undefined;
    const isNow = now === undefined ? "" : `. '${now}' is the same ${kindOf(device).name} (same phys_id)`;
    return withProblem(device, { code, finding: `${words}${isNow}` });
  }
  const { view } = finding;
  const kind = kindOf(device);
  if (view.devType !== undefined && !kind.accepts(view.devType)) {
    const words = `device '${device.deviceId}' is of type '${view.devType}', not a ${kind.name}: check deviceId`;
    return withProblem(device, { code: "otherDevice", finding: words });
  }
  return {
    ...withReported(device, pick({ ...view.reported } as Values, keysOf(kind))),
    ownStatus: ownStatusOf(view),
  };
}

/** The id that the car or inverter behind a device has now; undefined if no device of the fleet is the same one. */
function sameDeviceIn(found: Findings, { businessId, deviceId, physicalDevice }: DeviceView): string | undefined {
  if (physicalDevice === undefined) return undefined;
  for (const finding of found.values()) {
    if (!("view" in finding) || finding.physicalDevice !== physicalDevice) continue;
    const { view } = finding;
    if (view.businessId === businessId && view.deviceId !== deviceId) return view.deviceId;
  }
  return undefined;
}

function withProblem(device: DeviceView, problem: DeviceProblem): DeviceView {
  return { ...device, reported: {}, unseen: [], problem };
}

function ownStatusOf({ setupComplete, config, serviceStatus, chargingStatus }: ReturnType<typeof viewOf>): OwnStatus {
  const { optOut: optedOut, optOutUntil, chargeBy } = config ?? {};
  const chargeByMissing = config && !chargeBy ? (true as const) : undefined;
  const { meaning, advice } = serviceStatus ? explainStatus(serviceStatus, chargingStatus) : {};
  return defined({
    ...{ setupComplete, optedOut, optedOutUntil: optOutUntil || undefined, chargeByMissing },
    ...{ serviceStatus, chargingStatus, meaning, advice },
  });
}
