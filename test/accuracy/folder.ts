import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { MeasuredSetting, SingleSetting } from "../../measure/results/model";
import { measuredBaseLoad, measuredCar, measuredCutIn } from "../../measure/results/single";
import { grouped } from "../../measure/sky/numbers";
import { meterOf, productionOf, sessionsOf } from "../support/exports";

/** One export of a folder, and what is true of it. */
export interface Case {
  readonly file: string;
  readonly kind: "sessions" | "meter" | "production";
  readonly zone: string;
  readonly car?: string;
  readonly truth: { readonly [Setting in SingleSetting]?: number };
  readonly declared: {
    readonly right: { readonly [Setting in SingleSetting]?: number };
    readonly wrong: { readonly [Setting in SingleSetting]?: Readonly<Record<string, Name>> };
  };
  readonly mustAnswerNotEnough?: readonly string[];
  readonly mayAnswerNotEnough?: readonly string[];
  readonly mustAnswerSeveral?: boolean;
}

/** The mistake of a wrong value: a name, one of some names, or any. */
type Name = string | null | readonly (string | null)[];

type Declared = Case["declared"]["right"];

/** Reads an export, and compares it with declared values. */
function measure(folder: string, { file, kind, zone, car }: Case) {
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  if (kind === "sessions") {
    const all = grouped(sessionsOf(text, zone).sessions, (one) => one.car);
    const [only = ""] = all.keys();
    const name = car !== undefined && all.has(car) ? car : only;
    const others = [...all].filter(([other]) => other !== name && other !== "").map(([, sessions]) => sessions);
    return (declared: Declared) => measuredCar("car", declared, all.get(name) ?? [], others).settings ?? {};
  }
  if (kind === "meter") {
    const { house } = meterOf(text, { timeZone: zone });
    return (declared: Declared) => ({ baseLoad: measuredBaseLoad(house, declared.baseLoad, 0) });
  }
  const { mornings } = productionOf(text, { timeZone: zone });
  return (declared: Declared) => ({ cutInThreshold: measuredCutIn(mornings, declared.cutInThreshold) });
}

/** Prints a line for each setting of each export: the value, its error, and whether each wrong value was found. */
export function printFolder(folder: string, cases: readonly Case[]): void {
  const counts = { answered: 0, inside: 0, alarms: 0, wrong: 0, found: 0, named: 0, disobeyed: 0 };
  for (const one of cases) {
    const started = performance.now();
    const judge = measure(folder, one);
    const right = judge(one.declared.right);
    const time = performance.now() - started;
    for (const [key, result] of Object.entries(right) as [SingleSetting, MeasuredSetting][]) {
      const truth = one.truth[key];
      const words = [one.file, key, result.reason ?? ""];
      const { measured } = result;
      if (one.mustAnswerNotEnough?.includes(key) && measured) counts.disobeyed++;
      if (one.mustAnswerSeveral && key === "maxCapacity" && result.verdict !== "severalCars") counts.disobeyed++;
      if (measured && truth !== undefined) {
        counts.answered++;
        const isInside = Math.abs(measured.value - truth) <= measured.uncertainty;
        if (isInside) counts.inside++;
        const error = (100 * (measured.value / truth - 1)).toFixed(1);
        words.push(
          `${measured.value} ± ${measured.uncertainty}, true ${truth}, ${error} %${isInside ? "" : " OUTSIDE"}`,
        );
      }
      if (result.verdict === "differs") {
        counts.alarms++;
        words.push("FALSE ALARM");
      }
      for (const [value, name] of Object.entries(one.declared.wrong[key] ?? {})) {
        if (!measured && one.mayAnswerNotEnough?.includes(key)) continue;
        counts.wrong++;
        const judged = judge({ ...one.declared.right, [key]: Number(value) })[key as never] as MeasuredSetting;
        const names = Array.isArray(name) ? name : [name];
        const isNamed = names.includes(null) || names.includes(judged.mistake ?? null);
        if (judged.verdict === "differs") counts.found++;
        if (judged.verdict === "differs" && isNamed) counts.named++;
        else words.push(`[${value}: ${judged.verdict} ${judged.mistake ?? ""}, expected ${name}]`);
      }
      console.log(words.filter(Boolean).join(" "), `${time.toFixed(0)} ms`);
    }
  }
  console.log(JSON.stringify(counts));
}
