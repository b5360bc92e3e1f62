import { delimiter, join } from "node:path";
import { type Contestant, LARGEST_STACK } from "./contestant";
import { fleet } from "./fleet";
import { oneStack, ROOT } from "./pulumi";
import { script } from "./script";
import { terraform } from "./terraform";
import { yaml } from "./yaml";

/** A program with the dynamic resources. */
const dynamic: Contestant = {
  name: "dynamic",
  title: "dynamic, TypeScript",
  upTo: LARGEST_STACK,
  changesDevices: true,
  prepare: (setting) => oneStack(setting, { package: "pulumi-solar-charging", name: "SiteSettings" }),
};

/** The same program with the native plugin of this build. */
const plugin: Contestant = {
  name: "plugin",
  title: "plugin, TypeScript",
  upTo: LARGEST_STACK,
  changesDevices: true,
  prepare: (setting) => {
    const env = { ...setting.env, PATH: [join(ROOT, "dist", "plugin"), setting.env.PATH].join(delimiter) };
    return oneStack({ ...setting, env }, { package: "pulumi-solar-charging/native", name: "SiteSettings" });
  },
};

/** The same resources with the native plugin, without a program in TypeScript. */
const inYaml: Contestant = {
  name: "yaml",
  title: "plugin, YAML",
  upTo: LARGEST_STACK,
  changesDevices: true,
  prepare: yaml,
};

/** The command line, with a manifest. */
const inFleet: Contestant = { name: "fleet", title: "`fleet`", changesDevices: true, prepare: fleet };

/** The same, with the engine's own log. */
const inLoggedFleet: Contestant = {
  name: "fleet-log",
  title: "`fleet --engine-log`",
  upTo: LARGEST_STACK,
  changesDevices: true,
  prepare: (setting) => fleet(setting, ["--engine-log"]),
};

/** The engine with one resource for each site, whose handlers are empty. */
const floor: Contestant = {
  name: "floor",
  title: "engine alone",
  upTo: LARGEST_STACK,
  changesDevices: false,
  prepare: (setting) => oneStack(setting, { package: "bench-floor", name: "Floor" }),
};

/** All contestants, in the order of the tables. */
export const CONTESTANTS: readonly Contestant[] = [
  dynamic,
  plugin,
  inYaml,
  inFleet,
  inLoggedFleet,
  floor,
  script,
  terraform,
];
