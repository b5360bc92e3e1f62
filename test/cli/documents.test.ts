import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/folder";
import { blocksOf } from "../support/markdown";
import { outputOf, ROOT } from "../support/project";
import { recorded } from "../unit/cli/review/previews";

const NPX = `npx() { shift; node ${ROOT}/dist/cli/main.js "$@"; }`;
const commandsOf = (page: string) => blocksOf(page).filter(({ language }) => language === "sh");

describe("documents: commands without an engine", () => {
  const path = temporaryFolder();
  const run = async (script: string, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn("bash", ["-e", "-c", `${NPX}\n${script}`], { cwd: path(""), env: { ...process.env, ...env } });
    const { code, text } = await outputOf(child);
    expect(code, text).to.equal(0);
    return text;
  };

  it("of docs/ledger.md show who set what, and name a file for each month", async () => {
    const [example] = blocksOf("docs/ledger.md").filter(({ language }) => language === "json");
    const line = { ...JSON.parse(example?.text ?? ""), time: new Date().toISOString() };
    writeFileSync(path("ledger.jsonl"), `${JSON.stringify(line)}\n`);
    const script = commandsOf("docs/ledger.md").map(({ text }) => text);
    const text = await run(`${script.join("")}echo $SOLAR_CHARGING_LEDGER_FILE`, {
      SOLAR_CHARGING_LEDGER_FILE: path("ledger.jsonl"),
    });
    expect(text).to.contain("60000").and.contain("77000");
    expect(text).to.match(/\/\d{4}-\d{2}\.jsonl\n$/);
  });

  it("of docs/sun.md compare a manifest with the one on main, and show what a preview does", async () => {
    const roof = "peakPower: 9.8 kWp, azimuth: SSW, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";
    const car = "maxCapacity: 77 kWh, maxChargePower: 11 kW";
    const berlin = `{ latitude: 48.1, inverters: { roof: { deviceId: r, ${roof} } }, vehicles: { c: { deviceId: c, ${car} } } }`;
    const manifest = `fleet: acme\nsites:\n  berlin: ${berlin}\n`;
    writeFileSync(path("fleet.yaml"), manifest);
    const git = "git -c user.name=a -c user.email=a@localhost";
    await run(`git init -q -b main . && git add . && ${git} commit -q -m first`);
    writeFileSync(path("fleet.yaml"), manifest.replace("SSW", "22.5"));
    writeFileSync(path("preview.json"), recorded("mistakes"));
    const text = await run(
      commandsOf("docs/sun.md")
        .map((block) => block.text)
        .join(""),
    );
    const [shown] = blocksOf("docs/sun.md").filter(({ language }) => language === "text");
    for (const line of shown?.text.trim().split("\n") ?? []) expect(text).to.contain(`  ${line}\n`);
    expect(text.match(/its peak moves/g)).to.have.lengthOf(2);
  });

  it("of docs/scale.md name backends, and make pipelines", async () => {
    const manifest = readFileSync(join(ROOT, "examples", "fleet", "fleet.yaml"), "utf8");
    writeFileSync(path("fleet.yaml"), `${manifest}shards: 3\n`);
    const script = commandsOf("docs/scale.md").map(({ text }) => text.replaceAll("--jobs 8", "--jobs 3")); // It has three sites.
    await run(script.join(""));
    expect(readdirSync(path(""))).to.include.members([".github", "fleet.yaml"]);
    expect(readdirSync(path("")).length).to.be.greaterThan(2);
  });
});
