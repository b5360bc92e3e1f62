import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { freePort } from "../support/freePort";
import { type Block, blocksOf } from "../support/markdown";
import { isOnPath } from "../support/onPath";
import { givenProject, ROOT } from "../support/project";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const blocks = blocksOf("README.md");
const [tryIt, , , , preview] = blocks.map(({ text }) => text);

/** The languages of docs/getting-started.md, each with its program, and what its project needs before. */
const LANGUAGES = {
  TypeScript: { file: "index.ts", block: "ts", host: "pulumi-language-nodejs", edit: "" },
  YAML: {
    file: "Pulumi.yaml",
    block: "yaml",
    host: "pulumi-language-yaml",
    edit: "command pulumi stack init dev",
  },
  Python: { file: "__main__.py", block: "python", host: "pulumi-language-python", edit: project("python") },
  Go: { file: "main.go", block: "go", host: "pulumi-language-go", edit: project("go") },
};

/** A project with the SDK of a language. */
function project(runtime: string): string {
  return [
    `printf 'name: test\\nruntime: ${runtime}\\n' > Pulumi.yaml`,
    "command pulumi stack select --create dev",
    `command pulumi package add ${ROOT}/schema/package.schema.json`,
  ].join("\n");
}

describe("engine: README", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("has the blocks that are looked at here, and commands that package.json has", () => {
    expect(blocks.map(({ section, language }) => `${section}: ${language}`)).to.deep.equal([
      "Try it: sh",
      "Use it: sh",
      "Use it: sh",
      "Use it: ts",
      "What a preview says: text",
    ]);
    expect(tryIt).to.equal("npm start\n");
    expect(scripts).to.include.keys("start");
  });

  it("quotes a preview in the words of the picture that npm run screenshot draws", () => {
    const picture = readFileSync(join(ROOT, "docs", "preview.svg"), "utf8");
    const shown = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text = ""]) => text);
    for (const line of preview?.trim().split("\n") ?? []) expect(shown).to.include(line);
  });

  for (const [language, { file, block, host, edit }] of Object.entries(LANGUAGES)) {
    const title = `leads on to docs/getting-started.md, which can be followed word for word in ${language}, and says what happens`;
    if (!isOnPath(host)) {
      it.skip(`${title} (skipped: there is no ${host} on the PATH)`, () => {});
      continue;
    }
    it(title, async () => {
      const port = await freePort();
      const steps = commandsOf(({ section }) => section !== "A fleet", language);
      expect(steps.join("")).to.contain("npm install pulumi-solar-charging");
      const program = blocksOf("docs/getting-started.md").find(
        (one) => one.language === block && one.text.includes("SiteSettings"),
      )?.text;
      const script = [
        // The project, its backend and the package already exist, and only loopback may be reached.
        `npm() { [ "$*" = "install pulumi-solar-charging" ]; }`,
        `pulumi() { [ "$*" = "new typescript" ] || [ "$*" = "login --local" ] || command pulumi "$@"; }`,
        `npx() { exec node ${ROOT}/simulator/bin.js --port ${port}; }`,
        "trap 'kill $(jobs -p)' EXIT",
        `cat > ${file} <<'END'\n${program}END`,
        ...(edit ? [edit] : []),
        ...steps.map((step) => step.replace("export PULUMI_CONFIG_PASSPHRASE=\n", "")),
      ].join("\n");
      if (language === "TypeScript")
        given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
      else given.project.findPlugin();
      if (language === "Go") cpSync(join(ROOT, "examples", "languages", "go", "go.mod"), given.project.path("go.mod"));
      for (const name of ["BASE_URL", "BUSINESS_ID", "ACCESS_TOKEN"])
        delete given.project.env[`SOLAR_CHARGING_${name}`];
      const text = await given.project.shell(script.replaceAll("8787", String(port)));
      expect(text).to.match(/ready\s*: true/);
      // What the page says that the commands show, the commands show.
      const page = readFileSync(join(ROOT, "docs", "getting-started.md"), "utf8");
      for (const shown of ['{"status":"ok"}', "+ 2 to create", "vehicle/car: maxCapacity 77 → 58 kWh"]) {
        expect(page).to.contain(`\`${shown}\``);
        expect(text).to.contain(shown);
      }
      expect(text)
        .to.contain("solar-charging doctor --device")
        .and.match(/unverified|ready/);
      // Each setting has an earlier value, which clean up writes back.
      expect(text.split("\n").filter((line) => line.includes("is not restored"))).to.deep.equal([]);
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
        { max_capacity: 60_000, max_charge_power: 7400, policy: "CHARGE BY" },
      ]);
    });
  }
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

/** The commands of docs/getting-started.md in this language, in order. Its tabs for other languages are left out. */
function commandsOf(isMeant: (block: Block) => boolean, language = "TypeScript"): string[] {
  const shell = blocksOf("docs/getting-started.md").filter(({ language }) => language === "sh");
  const own = LANGUAGES[language as keyof typeof LANGUAGES].file;
  const others = Object.values(LANGUAGES).flatMap(({ file }) => (file === own ? [] : [file]));
  const isOther = (text: string) => others.some((file) => text.includes(`' ${file}`));
  return shell.filter((block) => isMeant(block) && !isOther(block.text)).map(({ text }) => text);
}
