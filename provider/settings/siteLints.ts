import type { Message } from "../messages/message";
import { hiddenLint, type LintName, lintMessage } from "./lints";
import type { Found } from "./lintTable";
import type { Properties } from "./objects";
import { quantityText } from "./units";

/** A declared device of a site. Its unknown values are no numbers. */
export interface LintedDevice {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  /** Its declared settings, by key. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Keys that the program declares as secrets. */
  readonly secretKeys?: ReadonlySet<string>;
}

const TABLE = {
  "repeated-base-load": (roofs: readonly Roof[]) => {
    const loads = roofs.filter(({ baseLoad = 0 }) => baseLoad > 0);
    const seen = new Map<number | undefined, number>();
    for (const { baseLoad } of loads) seen.set(baseLoad, (seen.get(baseLoad) ?? 0) + 1);
    const first = loads.find(({ baseLoad }) => (seen.get(baseLoad) as number) > 1);
    const same = loads.filter(({ baseLoad }) => baseLoad === first?.baseLoad);
    return (
      first !== undefined && [
        `baseLoad ${quantityText("W", first.baseLoad as number)} is declared for ${same.map(({ label }) => label).join(" and ")}: if it is the ` +
          "load of the whole site, the service counts it several times",
        "Declare it for one inverter, and 0 for the others",
      ]
    );
  },
  "base-load-above-site": (roofs: readonly Roof[]) => {
    const isComplete = roofs.every(({ baseLoad, peakPower }) => baseLoad !== undefined && peakPower !== undefined);
    const [load, peak] = [sum(roofs.map(({ baseLoad }) => baseLoad)), sum(roofs.map(({ peakPower }) => peakPower))];
    return (
      isComplete &&
      roofs.length > 1 &&
      load >= peak && [
        `the base loads of the site's inverters are ${quantityText("W", load, [peak])} together, and their peak power is ` +
          `${quantityText("W", peak, [load])}: no solar power is left for a car`,
        "Declare the power that the site uses all the time, not its maximum",
      ]
    );
  },
} satisfies Record<string, (roofs: readonly Roof[]) => Found | false>;

/**
 * The name of a lint of the inverters of a site together.
 * @useDeclaredType
 */
export type SiteLintName = keyof typeof TABLE;

/**
 * The lints of the inverters of a site together, by name. Each gives finding and advice, or `false` if nothing looks
 * wrong.
 */
export const SITE_LINTS: Readonly<Record<SiteLintName, (roofs: readonly Roof[]) => Found | false>> = TABLE;

/** The part of an inverter that the lints of a whole site need. */
export interface Roof {
  /** `inverter/<name>`. */
  readonly label: string;
  /** In W; `undefined` if it is not declared, or not known yet. */
  readonly baseLoad: number | undefined;
  /** In W; `undefined` if it is not declared, or not known yet. */
  readonly peakPower: number | undefined;
}

/** The settings of inverters that the lints of a site need. */
const READ = ["baseLoad", "peakPower"];

/** Warnings of a whole site. @param ignored lints that are switched off */
export function siteLints(devices: readonly LintedDevice[], ignored: readonly LintName[]): Message[] {
  const roofs = roofsOf(devices);
  return Object.entries(SITE_LINTS).flatMap(([name, find]) => {
    const lint = name as LintName;
    const finding = !ignored.includes(lint) && find(roofs);
    const isSecret = devices.some(({ secretKeys }) => READ.some((key) => secretKeys?.has(key)));
    return finding ? [isSecret ? hiddenLint(lint, "baseLoad") : lintMessage(lint, finding)] : [];
  });
}

/** Lints of one device that its site reports better, as gaps. */
const COVERED_BY_SITE: readonly LintName[] = ["ignored-metadata", "forecast-without-metadata", "incomplete-inverter"];

/**
 * The lints that do not apply to a device in this site.
 * @param inverters the inverters of the site
 */
export function lintsBesideSite(device: Properties, inverters: readonly Properties[]): LintName[] {
  // One inverter declares the load of the whole site, and the others declare 0, so that it counts once.
  const hasLoad = inverters.some(({ baseLoad }) => baseLoad !== undefined && baseLoad !== 0);
  return [
    ...(device.policy === undefined ? COVERED_BY_SITE : []),
    ...(device.baseLoad === 0 && hasLoad ? (["low-base-load"] as const) : []),
  ];
}

/**
 * The inverters among a site's devices.
 * @example
 * roofsOf([{ label: "inverter/roof", inputs: { baseLoad: 400, peakPower: 9800 } }]);
 */
export function roofsOf(devices: readonly LintedDevice[]): Roof[] {
  return devices
    .filter(({ label }) => label.startsWith("inverter/"))
    .map(({ label, inputs }) => ({
      label,
      baseLoad: numberOf(inputs.baseLoad),
      peakPower: numberOf(inputs.peakPower),
    }));
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}
