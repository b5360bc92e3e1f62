import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { ROOT } from "../support/project";

describe("engine: the pictures of README", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-screenshot-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("have today's words; if not, npm run screenshot draws them again", async () => {
    const { SOLAR_CHARGING_BASE_URL, ...env } = process.env;
    const script = join(ROOT, "dist", "scripts", "screenshot.js");
    await promisify(execFile)(process.execPath, [script, "--folder", folder], {
      cwd: ROOT,
      env: { ...env, NO_COLOR: "1" },
    });
    const words = (file: string) =>
      [...readFileSync(file, "utf8").matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text]) => text);
    const diagnostics = (file: string) => {
      const all = words(file);
      return all.slice(all.indexOf("Diagnostics:"), all.indexOf("Outputs:"));
    };
    const shown = diagnostics(join(ROOT, "docs", "preview.svg"));
    expect(shown.filter((text) => text === "warning:")).to.have.length(3);
    expect(diagnostics(join(folder, "preview.svg"))).to.have.members(shown);
    expect(words(join(folder, "review.svg"))).to.deep.equal(words(join(ROOT, "docs", "review.svg")));
  });
});
