import { parentPort, workerData } from "node:worker_threads";
import * as pulumi from "@pulumi/pulumi";
import type { FleetManifest } from "../../provider/resources/fleetManifest";
import { FleetSettings } from "../../provider/resources/fleetSettings";
import { separateEngines } from "./engines";
import { Project } from "./stackRun";
import type { Answer, FromThread, Request, ThreadData, ToThread } from "./stackThreads";

// Nobody reads these of a program that has no code of its own, and they take a third of its time: messages for debugging,
// each a request to the engine, and stack traces, of which the SDK makes several for each property of a resource.
Object.assign(pulumi.log, { debug: async () => {} });
Error.stackTraceLimit = 0;

const { fleet, folder, env } = workerData as ThreadData;
const interruption = new AbortController();
separateEngines(interruption.signal);
let opened: Promise<Project> | undefined;
const report = (message: FromThread) => parentPort?.postMessage(message);

async function answer(request: Request): Promise<Answer> {
  try {
    opened ??= Project.open(fleet, folder, env);
    const project = await opened;
    if (request === "list") return { stacks: await project.stacks() };
    const declare = async () => {
      new FleetSettings(fleet, { manifest: request.manifest as FleetManifest });
    };
    return { result: await project.run(request, declare, interruption.signal, (step) => report({ step })) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

parentPort?.on("message", (message: ToThread) => {
  if (message === "interrupt") interruption.abort();
  else void answer(message).then(report);
});
