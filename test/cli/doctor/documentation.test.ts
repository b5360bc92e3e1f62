import { spawn } from "node:child_process";
import { expect } from "chai";
import { temporaryFolder } from "../../support/folder";
import { blocksOf } from "../../support/markdown";
import { outputOf, ROOT } from "../../support/project";
import { givenCommandLine } from "../commandLine";

describe("docs/doctor.md", () => {
  const given = givenCommandLine({
    businesses: {
      acme: { "car-1": { type: "vehicle" }, "roof-1": { type: "inverter", settings: { peak_power: 9800 } } },
    },
  });
  const path = temporaryFolder();

  it("has commands that run as they stand, and end with 0", async () => {
    const script = blocksOf("docs/doctor.md").map(({ text }) => text);
    expect(script).to.have.length(4);
    const child = spawn(
      "bash",
      ["-e", "-c", `npx() { shift; node ${ROOT}/dist/cli/main.js "$@"; }\n${script.join("")}`],
      {
        cwd: path(""),
        env: {
          ...process.env,
          SOLAR_CHARGING_BASE_URL: given.simulator.url,
          SOLAR_CHARGING_ACCESS_TOKEN: given.simulator.token,
          SOLAR_CHARGING_BUSINESS_ID: "acme",
        },
      },
    );
    const { code, text } = await outputOf(child);
    expect(code, text).to.equal(0);
    expect(text).to.contain("✓ identity PATCH").and.to.contain("✓ fingerprint");
    expect(given.simulator.latestReads).to.equal(0);
  });
});
