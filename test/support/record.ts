import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment, findOrFetchEngine } from "../../scripts/engine";
import { reason } from "../../scripts/execute";
import { JOURNEYS, type Journey, RECORDED, replay, withProgram } from "./recorded";

/** Fields that differ each time or on each machine. The engine does not need them. */
const OMITTED = new Set(["created", "modified", "time", "sourcePosition", "stackTrace"]);

/**
 * `npm run record`: writes the release that package.json names to test/recorded, for the tests of all later releases.
 */
async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const folder = join(RECORDED, version);
  if (existsSync(folder)) {
    throw new Error(`${version} is recorded already, in ${folder}. Delete it if that version is not released yet`);
  }
  Object.assign(process.env, engineEnvironment(await findOrFetchEngine()));
  await withProgram(RECORDED, async ({ project, simulator, devicesFile }) => {
    Object.assign(project.env, {
      SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0",
      SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0",
    });
    for (const deviceId of ["uncertain", "uncertain-car"]) {
      simulator.fail({ method: "PATCH", deviceId, kind: "reset-after-apply" });
    }
    await project.fails("up", "--yes", "--skip-preview", "--parallel", "1", "--continue-on-error");
    simulator.appUserSets("acme", "drifted", { max_capacity: 50_000 });
    await project.refresh("--target", project.resource("drifted").urn);

    mkdirSync(folder);
    for (const file of ["index.js", "fleet.json"]) copyFileSync(join(RECORDED, file), join(folder, file));
    copyFileSync(devicesFile, join(folder, "devices.json"));
    const stack = await project.succeeds("stack", "export", "--show-secrets");
    const provider = project.resource("default").id;
    // The port and the id differ each time.
    const text = stack.replaceAll(simulator.url, "http://127.0.0.1:8787").replaceAll(provider, "provider");
    write(
      folder,
      "stack.json",
      JSON.parse(text, (key, value) => (OMITTED.has(key) ? undefined : value)),
    );
  });
  const journeys = Object.keys(JOURNEYS) as Journey[];
  const outcomes = [];
  for (const journey of journeys) outcomes.push([journey, await replay(version, journey)]);
  write(folder, "expectations.json", Object.fromEntries(outcomes));
  console.log(`Recorded ${version} in ${folder}. Look at expectations.json: nothing may be there that is not meant.`);
}

function write(folder: string, file: string, value: unknown): void {
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
