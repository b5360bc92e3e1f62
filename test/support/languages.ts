import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { freePort } from "./freePort";
import { type Block, blocksOf } from "./markdown";
import { isOnPath } from "./onPath";
import { PLUGIN_FOLDER, type Project, ROOT } from "./project";

/** A language of programs over the plugin: its runtime in Pulumi's words, the file of a program, and its code blocks. */
export interface Language {
  readonly runtime: string;
  readonly file: string;
  readonly block: string;
}

export const LANGUAGES = {
  TypeScript: { runtime: "nodejs", file: "index.ts", block: "ts" },
  YAML: { runtime: "yaml", file: "Pulumi.yaml", block: "yaml" },
  Python: { runtime: "python", file: "__main__.py", block: "python" },
  Go: { runtime: "go", file: "main.go", block: "go" },
} satisfies Record<string, Language>;

interface Given {
  readonly project: Project;
  readonly simulator: Simulator;
}

/** Remembers the answer of a slow check. */
function once(check: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => {
    answer ??= check();
    return answer;
  };
}

/** Checks that Python can make a virtual environment, and that pip reaches a registry with Pulumi's SDK. */
export const hasPython = once(
  () =>
    spawnSync("python3", ["-c", "import ensurepip"]).status === 0 &&
    spawnSync("python3", ["-m", "pip", "index", "versions", "pulumi"]).status === 0,
);

/** The reason why programs in this language cannot run here, if there is one. */
function obstacle({ runtime }: Language): string | undefined {
  const host = `pulumi-language-${runtime}`;
  if (!isOnPath(host)) return `there is no ${host} on the PATH`;
  return runtime === "python" && !hasPython() ? "python3 has no ensurepip, or pip finds no pulumi" : undefined;
}

/**
 * A PATH on which the host of TypeScript that generates code comes first: an engine that was built from Go modules comes
 * with one that does not. npm's launcher of the CLI would put the engine's folder before it.
 */
export function pathWithGenerator(path = process.env.PATH ?? ""): string {
  const folders = path.split(delimiter).filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const built = folders.map((folder) => join(folder, "nodejs")).filter((folder) => existsSync(join(folder, HOST)));
  return [...built, ...folders].join(delimiter);
}

const HOST = "pulumi-language-nodejs";

/** Declares a test of programs in this language. Where they cannot run, it is skipped, and its title says why. */
export function itIn(language: Language, title: string, run: () => Promise<void>): void {
  const why = obstacle(language);
  if (why) it.skip(`${title} (skipped: ${why})`, run);
  else it(title, run);
}

/** The folder of the example in this language. */
const example = ({ runtime }: Language) => join(ROOT, "examples", "languages", runtime);

/** The program of the example in this language. */
export const programOf = (language: Language) => readFileSync(join(example(language), language.file), "utf8");

/** A program or project of a document with the plugin of this build: npm links no command of a clone that was not built. */
export const withPlugin = (text: string) => text.replace("path: node_modules/.bin", `path: ${PLUGIN_FOLDER}`);

/** Makes the project that the documents tell a user of this language to make, with the SDK. */
async function begin({ project }: Given, language: Language): Promise<void> {
  cpSync(example(language), project.folder, { recursive: true });
  project.write("Pulumi.yaml", withPlugin(readFileSync(project.path("Pulumi.yaml"), "utf8")));
  await project.succeeds("stack", "select", "--create", "dev");
  if (language.runtime === "yaml") return;
  await project.succeeds("package", "add", join(ROOT, "schema", "package.schema.json"));
  // An entry of the plugin would make `pulumi install` in the next clone ask the Registry for it, and fail.
  expect(readFileSync(project.path("Pulumi.yaml"), "utf8")).to.not.contain("packages:");
}

/** Follows the life of the example in this language. */
export async function followExample(given: Given, language: Language): Promise<void> {
  const { project, simulator } = given;
  const before = simulator.device("acme", "car");
  await begin(given, language);
  project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
  expect(await project.up()).to.match(/ready\s*: true/);
  expect(await project.succeeds("preview", "--expect-no-changes")).to.contain("unchanged");

  project.write(language.file, withPlugin(programOf(language)).replace("11 kW", "7.4 kW"));
  expect(await project.succeeds("preview", "--diff")).to.contain("~ maxChargePower: 11000 => 7400");
  await project.up();
  simulator.appUserSets("acme", "car", { max_charge_power: 3700 });
  expect(await project.succeeds("preview", "--refresh", "--diff")).to.contain("~ maxChargePower: 3700 => 7400");
  await project.succeeds("up", "--yes", "--skip-preview", "--refresh");
  expect(simulator.device("acme", "car")).to.include({ max_charge_power: 7400 });

  await project.destroy();
  // Only reported values can be restored.
  expect(simulator.device("acme", "car")).to.include(before);
}

/** Applies the example in a clone of the project, which has only what `package add` wrote and what is committed. */
export async function followClone(given: Given, language: Language): Promise<void> {
  await begin(given, language);
  given.project.write(".gitignore", "venv\nnode_modules\nstate\n");
  await given.project.shell(`
    git init -q && git add -A && git -c user.name=test -c user.email=test@example.com commit -qm test
    git clone -q . clone && cd clone
    pulumi install --no-plugins && pulumi up --yes --skip-preview`);
  expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
}

/** Imports a car, and pastes the printed code into the project. */
export async function followImport(given: Given, language: Language): Promise<void> {
  const { project } = given;
  if (language.runtime === "nodejs") {
    project.findPlugin();
    project.env.PATH = pathWithGenerator(project.env.PATH);
    project.write("package.json", JSON.stringify({ name: "test", main: language.file }));
    project.write(language.file, "");
  } else await begin(given, language);
  const { stdout } = await project.pulumi([
    "import",
    "--yes",
    "solar-charging:index:VehicleSettings",
    "car",
    "acme/car",
  ]);
  const code = /^(package main|import pulumi|import \* as pulumi).*/ms.exec(stdout)?.[0] ?? "";
  expect(code, stdout).to.contain("60000");
  project.write(language.file, code);
  await project.succeeds("preview", "--expect-no-changes");
}

/** Follows docs/getting-started.md word for word, but for what it installs. */
export async function followGettingStarted(given: Given, language: Language): Promise<void> {
  const { project } = given;
  const port = await freePort();
  const steps = commandsOf(({ section }) => section !== "A fleet", language);
  expect(steps.join("")).to.contain("npm install pulumi-solar-charging");
  // The page links to the programs of the other languages.
  const shown = blocksOf("docs/getting-started.md").find(
    ({ language: block, text }) => block === language.block && text.includes("SiteSettings"),
  );
  if (language.runtime === "nodejs") {
    project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
  } else await begin(given, language);
  project.write(language.file, withPlugin(shown?.text ?? programOf(language)));
  const script = [
    // The project, its backend and the package already exist, and only loopback may be reached.
    `npm() { [ "$*" = "install pulumi-solar-charging" ] || [ "$*" = "install --save-dev solar-charging-simulator" ]; }`,
    `pulumi() { [ "$*" = "new typescript" ] || [ "$*" = "login --local" ] || command pulumi "$@"; }`,
    `npx() { exec node ${ROOT}/simulator/bin.js --port ${port}; }`,
    "trap 'kill $(jobs -p)' EXIT",
    ...steps.map((step) => step.replace("export PULUMI_CONFIG_PASSPHRASE=\n", "")),
  ].join("\n");
  for (const name of ["BASE_URL", "BUSINESS_ID", "ACCESS_TOKEN"]) delete project.env[`SOLAR_CHARGING_${name}`];
  const text = await project.shell(script.replaceAll("8787", String(port)));
  expect(text).to.match(/ready\s*: true/);
  // The commands show the text that the page has.
  const page = readFileSync(join(ROOT, "docs", "getting-started.md"), "utf8");
  const quoted = ['{"status":"ok"}', "+ 2 to create", "maxCapacity was 60 kWh", "vehicle/car: maxCapacity 77 → 58 kWh"];
  for (const shown of quoted) {
    expect(page).to.contain(`\`${shown}\``);
    expect(text).to.contain(shown);
  }
  expect(text)
    .to.contain("solar-charging doctor --device")
    .and.match(/^\[\]$/m)
    .and.not.contain("curl: ");
  // Each setting has an earlier value, which clean up writes back.
  expect(text.split("\n").filter((line) => line.includes("not restored"))).to.deep.equal([]);
  const requests = readFileSync(project.path("simulator.log"), "utf8");
  const updates = requests.split("\n").flatMap((line) => {
    const { method, deviceId, body } = line.startsWith("{") ? JSON.parse(line) : {};
    return method === "PATCH" && deviceId === "car" ? [body] : [];
  });
  expect(updates).to.deep.equal([
    { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
    { max_capacity: 58_000 },
    { max_capacity: 77_000 },
    { max_capacity: 77_000 },
    { max_capacity: 60_000, max_charge_power: 7400, policy: "CHARGE BY" },
  ]);
}

/** The commands of docs/getting-started.md in this language, in order. */
export function commandsOf(isMeant: (block: Block) => boolean, { file }: Language = LANGUAGES.TypeScript): string[] {
  const shell = blocksOf("docs/getting-started.md").filter(({ language }) => language === "sh");
  return shell.filter(isMeant).map(({ text }) => text.replace(" index.ts", ` ${file}`));
}
