import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { blocksOf } from "../support/markdown";
import { givenProject, outputOf, ROOT } from "../support/project";

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
    const steps = blocksOf("docs/getting-started.md").map(({ text }) => text);
    expect(steps[0]).to.contain(install);
    const script = [
      // The project and the package are here already, and nothing but loopback may be reached.
      `npm() { [ "$*" = "install pulumi-solar-charging" ]; }`,
      `pulumi() { [ "$*" = "new typescript" ] || command pulumi "$@"; }`,
      `npx() { exec node ${ROOT}/simulator/bin.js --port ${port}; }`,
      "trap 'kill $(jobs -p)' EXIT",
      `cat > index.ts <<'END'\n${program}END`,
      ...steps,
    ].join("\n");
    given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
    const { SOLAR_CHARGING_BASE_URL, SOLAR_CHARGING_BUSINESS_ID, SOLAR_CHARGING_ACCESS_TOKEN, ...env } =
      given.project.env;
    const child = spawn("bash", ["-e", "-c", script.replaceAll("8787", String(port))], {
      cwd: given.project.folder,
      env,
    });
    const { code, text } = await outputOf(child);
    expect(code, text).to.equal(0);
    expect(text).to.match(/ready\s*: true/);
    expect(text).to.contain("vehicle/car: maxCapacity 77000 → 58000");
    const requests = readFileSync(join(given.project.folder, "simulator.log"), "utf8");
    const updates = requests.split("\n").flatMap((line) => {
      const { method, deviceId, body } = line.startsWith("{") ? JSON.parse(line) : {};
      return method === "PATCH" && deviceId === "car" ? [body] : [];
    });
    expect(updates).to.deep.equal([
      { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
      { max_capacity: 58_000 },
      { max_capacity: 58_000 },
      { max_capacity: 60_000, policy: "CHARGE BY" },
    ]);
  }).timeout(300_000);
});

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
