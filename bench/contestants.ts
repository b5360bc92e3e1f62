import { type Contestant, LARGEST_STACK } from "./contestant";
import { fleet } from "./fleet";
import { floorStacks } from "./floorStacks";
import { plugin } from "./plugin";
import { oneStack } from "./pulumi";
import { script } from "./script";
import { terraform } from "./terraform";
import { deviceCount, type Workload } from "./workload";

/** This package, as its users have it: up to a size a program with `pulumi`, above it our command line. */
export const ours: Contestant = {
  name: "ours",
  changesDevices: true,
  prepare: (setting) =>
    isLarge(setting.workload)
      ? fleet(setting)
      : oneStack(setting, {
          package: "pulumi-solar-charging",
          name: setting.workload.job === "sites" ? "SiteSettings" : "VehicleSettings",
        }),
};

/** The engine with a resource a site whose handlers are empty. */
const floor: Contestant = {
  name: "floor",
  changesDevices: false,
  prepare: (setting) =>
    isLarge(setting.workload) ? floorStacks(setting) : oneStack(setting, { package: "bench-floor", name: "Floor" }),
};

/** This package over the native plugin. */
const native: Contestant = { name: "plugin", upTo: LARGEST_STACK, changesDevices: true, prepare: plugin };

/** All of them, in the order of the tables. */
export const CONTESTANTS: readonly Contestant[] = [ours, native, floor, script, terraform];

/** Whether it is split into stacks by those that can. */
export function isLarge(workload: Workload): boolean {
  return deviceCount(workload) > LARGEST_STACK;
}
