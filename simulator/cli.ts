import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option, program } from "commander";
import { z } from "zod";
import { DEMO_FLEET } from "./demoFleet";
import { DEFAULT_BEHAVIOUR } from "./fleet";
import { fleetOfManifest } from "./manifest";
import {
  check,
  FaultSchema,
  FleetSchema,
  InverterFieldsSchema,
  parseJson,
  ReportsSchema,
  SecondsSchema,
  ServiceStatusSchema,
} from "./schemas";
import { startSimulator } from "./server";
import type { Behaviour, Fault, Fleet, InverterFields } from "./types";

interface CliOptions {
  fleet?: Fleet;
  manifest?: Fleet;
  serviceStatus: Behaviour["serviceStatus"];
  showsDefaults: boolean;
  port: number;
  state?: string;
  token?: string;
  reports: Behaviour["reports"];
  cacheLagSeconds: number;
  latencySeconds: number;
  fault: Fault[];
  inverterFields: Partial<InverterFields>;
}

program
  .name("solar-charging-simulator")
  .description("A double of the device service on 127.0.0.1. Logs each request as a line of JSON on stdout.")
  .option("--fleet <file>", "JSON file of the devices (default: a small demo fleet)", parsedBy(FleetSchema, readJson))
  .addOption(
    new Option("--manifest <file>", "simulate the devices of a fleet's manifest in YAML or JSON")
      .argParser(parsedBy(z.custom<Fleet>(), (file) => fleetOfManifest(readFileSync(file, "utf8"))))
      .conflicts("fleet"),
  )
  .option("--port <number>", "0 takes any free port", parsedBy(z.int().min(0).max(65_535), Number), 8787)
  .option("--state <file>", "keep the current settings in this file over restarts")
  .addOption(new Option("--token <token>", "what requests must carry").env("SOLAR_CHARGING_SIMULATOR_TOKEN"))
  .addOption(
    new Option("--reports <place>", "where the cached read shows the numeric settings")
      .choices(ReportsSchema.options)
      .default(DEFAULT_BEHAVIOUR.reports),
  )
  .addOption(
    new Option("--service-status <status>", "what vehicles report of what the service does")
      .choices(ServiceStatusSchema.options)
      .default("derived"),
  )
  .option("--shows-defaults", "the cached read shows 80000 Wh and 7200 W of a vehicle without values", false)
  .option(
    "--cache-lag-seconds <n>",
    "how old the cached read is",
    parsedBy(SecondsSchema, Number),
    DEFAULT_BEHAVIOUR.cacheLagSeconds,
  )
  .option(
    "--latency-seconds <n>",
    "wait before each answer",
    parsedBy(SecondsSchema, Number),
    DEFAULT_BEHAVIOUR.latencySeconds,
  )
  .option("--fault <json>", "a scripted fault; can be repeated", collectFault, [])
  .option(
    "--inverter-fields <json>",
    "wire names of the inverter's settings",
    parsedBy(InverterFieldsSchema, parseJson),
    DEFAULT_BEHAVIOUR.inverterFields,
  )
  .action(run)
  .parse();

async function run(options: CliOptions): Promise<void> {
  const { reports, cacheLagSeconds, latencySeconds, inverterFields, serviceStatus, showsDefaults } = options;
  const fleet = { ...(options.manifest ?? options.fleet ?? DEMO_FLEET) };
  if (options.token !== undefined) fleet.token = options.token;

  const simulator = await startSimulator({
    fleet,
    port: options.port,
    ...(options.state === undefined ? {} : { stateFile: options.state }),
    behaviour: { reports, cacheLagSeconds, latencySeconds, inverterFields, serviceStatus, showsDefaults },
    onRequest: (entry) => console.log(JSON.stringify(entry)),
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    return program.error(
      isTaken
        ? `error: port ${options.port} is taken, perhaps by another simulator: use --port`
        : `error: ${error.message}`,
    );
  });
  simulator.fail(...options.fault);

  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => simulator.close());
  // The token can be shown: it permits nothing that the control API does not permit without a token.
  console.error(
    `Listening on ${simulator.url}. For the provider: export SOLAR_CHARGING_BASE_URL=${simulator.url}` +
      ` SOLAR_CHARGING_BUSINESS_ID=${Object.keys(fleet.businesses)[0] ?? ""}` +
      ` SOLAR_CHARGING_ACCESS_TOKEN=${simulator.token}`,
  );
}

function readJson(file: string): unknown {
  return parseJson(readFileSync(file, "utf8"));
}

function collectFault(text: string, faults: Fault[]): Fault[] {
  return [...faults, parsedBy(FaultSchema, parseJson)(text)];
}

function parsedBy<T>(schema: z.ZodType<T>, convert: (text: string) => unknown): (text: string) => T {
  return (text) => {
    try {
      return check(schema, convert(text));
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
