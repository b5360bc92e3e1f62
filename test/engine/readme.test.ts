import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { LINT_NAMES } from "../../provider/settings/lints";
import { DEMO_FLEET } from "../../simulator/demo-fleet";
import { blocksOf } from "../support/markdown";
import { givenProject, outputOf, ROOT } from "../support/project";

const blocks = () => blocksOf("README.md");

describe("engine: README", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("has no code block that is not run below", () => {
    const kinds = blocks().map(({ section, language }) => `${section}: ${language}`);
    expect([...new Set(kinds)]).to.have.members([
      "Try it: sh",
      "Use it: sh",
      "Use it: ts",
      "Is the site ready?: ts",
      "Settings: sh",
      "Units and directions: ts",
      "Credentials: sh",
      "Reading a device: ts",
      "What a delete does: ts",
    ]);
  });

  it("names commands that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const commands = blocks()
      .filter(({ section }) => section === "Try it")
      .flatMap(({ text }) => text.trim().split("\n"));
    expect(commands).to.deep.equal(["npm start", "npm test"]);
    expect(scripts).to.include.keys(commands.map((command) => command.replace("npm ", "")));
  });

  it("has commands that run, and set what the provider knows, in the sections on settings and credentials", async () => {
    const commands = blocks().filter(({ section, language }) => language === "sh" && !/it$/.test(section));
    const script = commands.map(({ text }) => text).join("");
    const child = spawn("bash", ["-e", "-c", `${script}export -p | grep SOLAR_CHARGING; pulumi config`], {
      cwd: given.project.folder,
      env: given.project.env,
    });
    const { code, text } = await outputOf(child);
    expect(code, text).to.equal(0);
    expect(text).to.match(/inverterFields\s+{"peakPower":"peak_power",.*\n.*oauthClientId\s+pipeline/);
    const variables = [...text.matchAll(/(SOLAR_CHARGING_\w+)=/g)].map(([, name]) => name);
    expect(variables).to.include.members(["SOLAR_CHARGING_TOKEN_COMMAND", "SOLAR_CHARGING_OAUTH_CLIENT_SECRET"]);
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    for (const name of variables) expect(readme).to.contain(`| \`${name}\` |`);
  });

  it("can be followed word for word from install to repair", async () => {
    const port = await freePort();
    const { bin } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const steps = blocks().filter(({ section }) => section === "Use it");
    const script = [
      // The package is here already, and nothing but loopback may be reached.
      `npm() { [ "$*" = "install pulumi-solar-charging" ]; }`,
      `npx() { exec node ${ROOT}/${bin["solar-charging-simulator"]} --port ${port}; }`,
      "trap 'kill $(jobs -p)' EXIT",
      ...steps.map(({ language, text }) => (language === "ts" ? `cat > index.ts <<'END'\n${text}END` : text)),
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
    expect(text).to.match(/5 unchanged/);
  });

  for (const section of ["Is the site ready?", "Units and directions", "Reading a device", "What a delete does"]) {
    it(`has programs that run, in "${section}"`, async () => {
      given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
      const programs = blocks().filter((block) => block.section === section && block.language === "ts");
      expect(programs).to.have.length.greaterThan(0);
      for (const { text } of programs) {
        given.project.write("index.ts", text);
        await given.project.up();
      }
    });
  }

  it("names every warning that can be switched off", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(LINT_NAMES.filter((name) => !readme.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it("is right that a preview with refresh fails when something has drifted", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    await given.project.up();
    await given.project.succeeds("preview", "--refresh", "--expect-no-changes");
    given.simulator.appUserSets("acme", "car", { max_capacity: 70_000 });
    await given.project.fails("preview", "--refresh", "--expect-no-changes");
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
