import { parentPort, workerData } from "node:worker_threads";
import { problemOf } from "../../../provider/messages/message";
import type { FleetManifest } from "../../../provider/resources/fleetManifest";
import { FleetSettings } from "../../../provider/resources/fleetSettings";
import { muteProgram, separateEngines } from "./automation";
import { Project } from "./stackRun";
import type { Answer, FromThread, Request, ThreadData, ToThread } from "./stackThreads";

muteProgram();

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
    return { error: problemOf(error) };
  }
}

parentPort?.on("message", (message: ToThread) => {
  if (message === "interrupt") interruption.abort();
  else void answer(message).then(report);
});
