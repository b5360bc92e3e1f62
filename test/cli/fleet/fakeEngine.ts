import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { setTimeout } from "node:timers/promises";
import { nativeType } from "../../../provider/engine/tokens";
import { solarCharging } from "../../support/commandLine";
import { temporaryFolder } from "../../support/folder";
import { type Ended, MAIN } from "../../support/project";
import { outputsOf } from "../../support/siteDevices";

/** Two stacks. The second one has `oslo`, the alphabetically first site. */
const MANIFEST = `fleet: acme
shards: 2
sites:
  oslo: { vehicles: { car-1: { deviceId: car-1, maxCapacity: 77 kWh } } }
  paris:
    vehicles: { car-2: { deviceId: car-2, maxCapacity: 77 kWh }, car-3: { deviceId: car-3, maxCapacity: 77 kWh } }
`;

/** The site of each stack, with its devices. */
const STACKS = { "shard-2-of-2": ["oslo", "car-1"], "shard-1-of-2": ["paris", "car-2", "car-3"] } as const;

const TYPE = nativeType("SiteSettings");

function urnOf(stack: string, site: string): string {
  return `urn:pulumi:${stack}::acme::${TYPE}::${site}`;
}

/** The engine's event for a site whose devices are as declared. */
function eventOf(stack: string, site: string, ids: readonly string[]): string {
  const outputs = outputsOf(
    Object.fromEntries(ids.map((id) => [`vehicle/${id}`, { values: { maxCapacity: 77_000 } }])),
  );
  const metadata = { op: "same", urn: urnOf(stack, site), type: TYPE, old: { outputs } };
  return `${JSON.stringify({ resOutputsEvent: { metadata } })}\n`;
}

/** Starts the engine without passing on signals, like the launcher of the npm package `pulumi`. */
const LAUNCHER = `#!/bin/sh
"$(dirname "$0")/engine" "$@"
`;

/**
 * An engine that only records its calls and counts updates. At its end it reports all devices of the stack as declared,
 * and an `up` records a baseline. Files beside it change that:
 * - `slow`: it works until it gets a signal
 * - `silent`: it reports no device
 * - `dies`: it is killed
 * - `held`: the stack is locked
 * - `exported`: the state of its stacks
 */
const ENGINE = `#!/bin/sh
cd "$(dirname "$0")"
case "$1 $2" in
"stack ls")
  echo "["
  for stack in $(cat stacks 2>&-); do
    printf ',{"name":"%s","lastUpdate":"update %s","resourceCount":7}' $stack "$(grep -c "up $stack" log)"
  done | sed 's/^,//'
  echo "]"; exit ;;
"stack export") cat exported 2>&- || echo '{"deployment":{"resources":[]}}'; exit ;;
"stack init") echo $3 >> stacks; exit ;;
"stack "*) exit ;;
esac
trap 'echo told >> log; [ -e stubborn ] || { cat canceled; exit 1; }' INT TERM HUP
for word in "$@"; do
  case "$before" in --stack) stack=$word ;; esac
  before=$word
done
echo "$1 $stack" >> log
[ ! -e dies ] || kill -9 $$
[ ! -e held ] || { echo "error: the stack is currently locked by 1 lock(s)" >&2; exit 255; }
journal=\${SOLAR_CHARGING_JOURNALS#*\\"}
[ "$1" != up ] || cat baseline >> "\${journal%%\\"*}"
while [ -e slow ]; do sleep 0.05; done
[ -e silent ] && exit
cat "events $stack"
`;

/** `solar-charging fleet` in its own folder, with an engine that only records its calls. */
export interface FakeEngine {
  path(name: string): string;
  readonly env: NodeJS.ProcessEnv;
  args(operation: string, ...args: string[]): string[];
  /** Runs the driver to its end. The first argument can be variables. @returns its whole output as `text` */
  run(operation: string | NodeJS.ProcessEnv, ...args: string[]): Promise<Ended & { readonly text: string }>;
  /** Starts the driver as a process in its own group, as from a terminal. The first argument can be variables. */
  start(operation: string | NodeJS.ProcessEnv, ...args: string[]): ChildProcess;
  /** The calls of the engine, such as `up shard-1-of-2`. `told` is a signal. */
  log(): string[];
  /** Resolves when the log has this many lines. */
  logged(count: number): Promise<void>;
}

/** A fake engine for each test. */
export function givenFakeEngine(): FakeEngine {
  const path = temporaryFolder();
  const log = () => (existsSync(path("log")) ? readFileSync(path("log"), "utf8").trimEnd().split("\n") : []);
  const args = (operation: string, ...more: string[]) => [MAIN, "fleet", operation, "-m", path("fleet.yaml"), ...more];
  const called = ([first, ...more]: readonly (string | NodeJS.ProcessEnv)[]) => {
    const [env, words] = typeof first === "string" ? [{}, [first, ...more]] : [first ?? {}, more];
    const [operation = "", ...rest] = words as string[];
    return { env, words: args(operation, ...rest) };
  };
  const given: FakeEngine = {
    path,
    get env() {
      const { CI: _, ...env } = process.env;
      // A PATH without other engines: only the commands that the scripts below use.
      const PATH = [path(""), "/usr/bin", "/bin"].join(delimiter);
      const service = { SOLAR_CHARGING_BASE_URL: "http://127.0.0.1:1", SOLAR_CHARGING_ACCESS_TOKEN: "token" };
      return { ...env, PATH, ...service, SOLAR_CHARGING_BUSINESS_ID: "acme", PULUMI_SKIP_UPDATE_CHECK: "true" };
    },
    args,
    run: async (...call) => {
      const { env, words } = called(call);
      const ended = await solarCharging(words.slice(1), { env: { CI: undefined, ...given.env, ...env } });
      return { ...ended, text: ended.stderr + ended.stdout };
    },
    start: (...call) => {
      const { env, words } = called(call);
      return spawn(process.execPath, words, {
        env: { ...given.env, ...env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
    },
    log,
    logged: async (count) => {
      while (log().length < count) await setTimeout(10);
    },
  };
  beforeEach(() => {
    writeFileSync(path("fleet.yaml"), MANIFEST);
    writeFileSync(path("pulumi"), LAUNCHER);
    writeFileSync(path("engine"), ENGINE);
    const planned = {
      time: "2026-01-01T00:00:00Z",
      run: "one",
      by: "ann@home",
      operation: "create",
      outcome: "planned",
    };
    const changes = [{ key: "maxCapacity", old: 60_000, new: 77_000 }];
    writeFileSync(
      path("baseline"),
      `${JSON.stringify({ ...planned, businessId: "acme", deviceId: "car-1", changes })}\n`,
    );
    const diagnosticEvent = { severity: "error", message: "update canceled" };
    writeFileSync(path("canceled"), `${JSON.stringify({ diagnosticEvent })}\n`);
    for (const [stack, [site, ...ids]] of Object.entries(STACKS)) {
      writeFileSync(path(`events ${stack}`), eventOf(stack, site, ids));
    }
    for (const name of ["pulumi", "engine"]) chmodSync(path(name), 0o755);
  });
  return given;
}
