import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { type Block, blocksOf } from "../support/markdown";
import { givenProject, ROOT } from "../support/project";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const blocks = blocksOf("README.md");
const [tryIt, install, program, preview] = blocks.map(({ text }) => text);

describe("engine: README", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("has the blocks that are looked at here, and commands that package.json has", () => {
    expect(blocks.map(({ section, language }) => `${section}: ${language}`)).to.deep.equal([
      "Try it: sh",
      "Use it: sh",
      "Use it: ts",
      "What a preview says: text",
    ]);
    expect(tryIt).to.equal("npm start\n");
    expect(scripts).to.include.keys("start");
  });

  it("says of a preview what the picture shows, which npm run screenshot draws", () => {
    const picture = readFileSync(join(ROOT, "docs", "preview.svg"), "utf8");
    const shown = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text = ""]) => text);
    for (const line of preview?.trim().split("\n") ?? []) expect(shown).to.include(line);
  });

  it("leads on to docs/getting-started.md, which can be followed word for word from install to clean-up", async () => {
    const port = await freePort();
    const steps = commandsOf(({ section }) => section !== "A fleet");
    expect(steps.join("")).to.contain(install);
    const script = [
      // The project, its backend and the package are here already, and nothing but loopback may be reached.
      `npm() { [ "$*" = "install pulumi-solar-charging" ]; }`,
      `pulumi() { [ "$*" = "new typescript" ] || [ "$*" = "login --local" ] || command pulumi "$@"; }`,
      `npx() { exec node ${ROOT}/simulator/bin.js --port ${port}; }`,
      "trap 'kill $(jobs -p)' EXIT",
      `cat > index.ts <<'END'\n${program}END`,
      ...steps.map((step) => step.replace("export PULUMI_CONFIG_PASSPHRASE=\n", "")),
    ].join("\n");
    given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
    for (const name of ["BASE_URL", "BUSINESS_ID", "ACCESS_TOKEN"]) delete given.project.env[`SOLAR_CHARGING_${name}`];
    const text = await given.project.shell(script.replaceAll("8787", String(port)));
    expect(text).to.match(/ready\s*: true/);
    expect(text).to.contain("vehicle/car: maxCapacity 77 kWh → 58 kWh");
    const requests = readFileSync(join(given.project.folder, "simulator.log"), "utf8");
    const updates = requests.split("\n").flatMap((line) => {
      const { method, deviceId, body } = line.startsWith("{") ? JSON.parse(line) : {};
      return method === "PATCH" && deviceId === "car" ? [body] : [];
    });
    expect(updates).to.deep.equal([
      { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
      { max_capacity: 58_000 },
      { max_capacity: 77_000 },
      { max_capacity: 77_000 },
      { max_capacity: 60_000, policy: "CHARGE BY" },
    ]);
  });
});

describe("engine: getting started with a fleet", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("is a manifest and three commands", async () => {
    const port = await freePort();
    const steps = commandsOf(({ section }) => section === "A fleet");
    const [manifest] = blocksOf("docs/getting-started.md").filter(
      ({ section, language }) => section === "A fleet" && language === "yaml",
    );
    given.project.write("fleet.yaml", manifest?.text ?? "");
    const script = [
      `npx() {`,
      `  if [ "$1" = --yes ]; then shift 2; exec node ${ROOT}/simulator/bin.js --port ${port} "$@"; fi`,
      `  shift; node ${ROOT}/dist/cli/main.js "$@"`,
      "}",
      "trap 'kill $(jobs -p)' EXIT",
      ...steps,
    ].join("\n");
    const text = await given.project.shell(script.replaceAll("8787", String(port)));
    expect(text).to.contain("2 of 2 sites ready");
  });
});

/** The commands of docs/getting-started.md, in order. */
function commandsOf(isMeant: (block: Block) => boolean): string[] {
  const shell = blocksOf("docs/getting-started.md").filter(({ language }) => language === "sh");
  return shell.filter(isMeant).map(({ text }) => text);
}

/** A port below those that the system hands out: else another test could get it before the simulator listens. */
async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree ? port : freePort();
}
