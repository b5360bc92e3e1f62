import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../support/project";

/** report.sh with a command that prints a text and ends with a code. */
describe("ci: report.sh", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-ci-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const reportOf = async (printed: string, code = 0, env: NodeJS.ProcessEnv = { PULUMI_STACK: "acme/home/prod" }) => {
    writeFileSync(join(folder, "printed"), printed);
    const command = ["bash", "-c", `cat printed; exit ${code}`];
    const child = spawn(join(ROOT, "examples", "ci", "report.sh"), ["Preview", ...command], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const output = await outputOf(child);
    const file = () => readFileSync(join(folder, "report.md"), "utf8");
    return { ...output, file };
  };

  it("begins with a line that tells it from other reports, and a heading with the counts", async () => {
    const { file } = await reportOf("Previewing\nResources:\n    + 1 to create\n    +-2 to replace\n    3 unchanged\n");
    expect(file().split("\n").slice(0, 2)).to.deep.equal([
      "<!-- pulumi: Preview of acme/home/prod -->",
      "### Preview of acme/home/prod: + 1 to create, +-2 to replace, 3 unchanged",
    ]);
  });

  it("takes the counts of the update, not of the preview before it", async () => {
    const preview = "Resources:\n    + 1 to create\nUpdating\n";
    const { file } = await reportOf(`${preview}Resources:\n    + 1 created\n\nDuration: 2s\n`);
    expect(file()).to.contain(": + 1 created\n");
  });

  it("ends as the command ends, and says so", async () => {
    const { code, text, file } = await reportOf("error: no\n", 3);
    expect(code).to.equal(3);
    expect(text).to.equal("error: no\n");
    expect(file()).to.contain(": failed with exit code 3\n");
  });

  it("lets nothing that is printed out of the block of code", async () => {
    const { file } = await reportOf("```\n~~~~\n</details>\n@everyone\n\n\r# heading\r\u001b[31m<img src=x>\n");
    const inside = file().split("</summary>\n")[1]?.split("\n</details>")[0];
    expect(inside).to.equal("\n    ```\n    ~~~~\n    </details>\n    @everyone\n    \n    # heading[31m<img src=x>\n");
  });

  it("stays below GitHub's limit, keeps the end, cuts no line in two, and says that it was cut", async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n} of ☀ text`);
    const { file } = await reportOf(`${lines.join("\n")}\n`);
    expect(file().length).to.be.within(50_000, 65_535);
    expect(file()).to.contain("\nThe beginning is cut off here; the job's log has it all.\n\n    line ");
    expect(file()).to.match(/ {4}line 4999 of ☀ text\n\n<\/details>\n$/);
    expect(file()).not.to.contain("line 0 of");
  });

  it("asks for the stack when it is not named", async () => {
    const { code, text } = await reportOf("", 0, { PULUMI_STACK: "" });
    expect(code).to.be.greaterThan(0);
    expect(text).to.contain("Set PULUMI_STACK to the stack, such as acme/home/prod");
  });
});
