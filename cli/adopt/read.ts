import { textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import { deviceName, nameOf } from "../../provider/service/device";
import { extractOf } from "../../provider/service/extract";
import { listed } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { defined } from "../../provider/settings/objects";
import type { DeviceKind, Values } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { AT_COMMAND_LINE, configurationProblems, startCommandRun } from "../environment";
import type { Findings } from "../view/reads";
import { type Listed, refuse, settingsOfList } from "./list";

/** A device with the settings that it reports. */
export interface Adopted extends Listed {
  readonly kind: DeviceKind;
  readonly reported: Values;
}

/** A device that could not be read, or that cannot be adopted, and the reason. */
export interface Failed {
  readonly device: Listed;
  readonly reason: string;
}

/** The result of an adoption, as `--json` prints it. */
export interface Adoption {
  /** The manifest, or the file for an import. Absent if it was not written, because it has all devices. */
  readonly file?: string;
  readonly adopted: readonly { readonly device: string; readonly kind: string; readonly site: string }[];
  readonly failed: readonly { readonly device: string; readonly reason: string }[];
}

/** The result of an adoption, in names. */
export function adoptionOf(file: string | undefined, adopted: readonly Adopted[], failed: readonly Failed[]): Adoption {
  return defined({
    file,
    adopted: adopted.map((one) => ({ device: deviceName(one), kind: one.kind.name, site: one.site })),
    failed: failed.map(({ device, reason }) => ({ device: deviceName(device), reason })),
  });
}

/** Devices that can be declared, and devices that cannot. */
interface Sorted {
  readonly adopted: readonly Adopted[];
  readonly failed: readonly Failed[];
  /** The number of devices of each type that counts as an inverter because it is not a vehicle's. */
  readonly supposed: ReadonlyMap<string, number>;
}

/**
 * @param variables variables that are added to the environment
 * @throws Error if the environment does not configure the service
 */
export function reachableRun(variables?: NodeJS.ProcessEnv): EngineRun {
  const run = startCommandRun(variables);
  const problems = configurationProblems(run).map((problem) => textOf(problem, AT_COMMAND_LINE));
  refuse(problems, "the environment does not configure the service");
  return run;
}

/** Empty, because the client has already removed secrets from its answers. */
const NO_SECRETS: ReadonlySet<string> = new Set();

/**
 * Finds the kind of each device that was read: the one in the list, otherwise the one of its type. The service does
 * not document the type of an inverter, so each type that is not a vehicle's counts as one.
 * @param devices in the order of the list
 */
export function sortByKind(devices: readonly Listed[], findings: Findings): Sorted {
  const adopted: Adopted[] = [];
  const failed: Failed[] = [];
  const supposed = new Map<string, number>();
  for (const device of devices) {
    const finding = findings.get(deviceName(device));
    if (!finding) continue;
    const fail = (reason: string) => failed.push({ device, reason: `${nameOf(device)}${reason}` });
    if ("problem" in finding) {
      fail(`: ${finding.problem.finding}`);
      continue;
    }
    const { devType: type, reported } = finding.view;
    const shown = extractOf(String(type), NO_SECRETS);
    const kind = device.kind ?? (type === undefined ? undefined : vehicle.accepts(type) ? vehicle : inverter);
    if (!kind) {
      fail(" reports no type: list it in a CSV file with a column kind (vehicle or inverter)");
    } else if (type !== undefined && !kind.accepts(type)) {
      fail(` is of type '${shown}', which is not a ${kind.name}'s: correct its kind in the list`);
    } else {
      const { values, problems } = settingsOfList(device, kind);
      if (problems.length > 0) {
        fail(`: ${problems.join("; ")}`);
        continue;
      }
      adopted.push({ ...device, kind, reported: { ...reported, ...values } });
      if (kind === inverter && !device.kind) supposed.set(shown, (supposed.get(shown) ?? 0) + 1);
    }
  }
  return { adopted, failed, supposed };
}

export function reportFailures(failed: readonly Failed[]): void {
  for (const { device, reason } of failed) console.error(`not adopted: ${device.place}: ${reason}`);
}

/** Reports the devices that cannot be adopted, and the types that count as an inverter's. */
export function reportSorted({ failed, supposed }: Sorted): void {
  reportFailures(failed);
  if (supposed.size === 0) return;
  const types = listed([...supposed].map(([type, count]) => `'${type}' (${count})`));
  console.error(
    `note: devices of type ${types} count as inverters, because they are not vehicles: the service does not document ` +
      "the type of an inverter. Remove the devices that are not inverters from the manifest",
  );
}
