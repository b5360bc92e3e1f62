import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateCommand } from "../../../../cli/fleet/generate";
import { expectFacts } from "../../../support/facts";

const sites = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [
    `site-${index}`,
    { vehicles: { car: { deviceId: `car-${index}`, maxCapacity: "77 kWh" } } },
  ]),
);

describe("generate: the command", () => {
  const home = process.cwd();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-generate-"));
    process.chdir(folder);
    declare({ fleet: "acme", businessId: "acme", shards: 4, sites });
  });
  afterEach(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  });

  const declare = (manifest: object) => writeFileSync("fleet.yaml", JSON.stringify(manifest));

  /** Standard output of the command. */
  const run = async (...args: string[]) => {
    let text = "";
    const writeOut = (piece: string) => {
      text += piece;
    };
    await generateCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut })
      .parseAsync(["--manifest", "fleet.yaml", ...args], { from: "user" });
    return text;
  };
  const refusal = async (...args: string[]) => {
    const error = await run(...args).catch((reason: Error) => reason);
    return error instanceof Error ? error.message : "none";
  };

  it("writes the files where the platform looks for them", async () => {
    expect(await run("github", "--jobs", "3", "--out", ".")).to.equal("");
    expect(readFileSync(".github/workflows/fleet-acme.yml", "utf8")).to.contain("part: [1, 2, 3]");
    await run("operator", "--repository", "https://github.com/acme/fleet", "--out", ".");
    for (const name of ["stacks.yaml", "Pulumi.yaml", "package.json", "index.js"]) {
      expect(existsSync(`operator/${name}`), name).to.equal(true);
    }
  });

  it("makes no more jobs than there are stacks", async () => {
    declare({ fleet: "acme", businessId: "acme", shards: 2, sites });
    expect(await run("gitlab")).to.contain('PARTS: "2"');
  });

  it("prints a single file as it is, and heads several with their paths", async () => {
    expect(await run("gitlab")).to.match(/^# ci\/fleet-acme.gitlab-ci.yml: /);
    expect((await run("operator", "--repository", "r")).match(/^# --- .*/gm)).to.have.lengthOf(4);
  });

  it("refuses operator files, which name the stacks, where the manifest does not say how many there are", async () => {
    declare({ fleet: "acme", businessId: "acme", sites });
    expectFacts(await refusal("operator", "--repository", "r"), ["shards: 1 "]);
  });

  for (const address of [
    "https://bot:ghp_x@github.com/acme/fleet",
    "https://ghp_x@github.com/acme/fleet",
    "https://bot:ghp_x/y@github.com/acme/fleet",
    "ssh://git:ghp_x@github.com/acme/fleet",
    "bot:ghp_x@github.com/acme/fleet",
  ]) {
    it(`does not write a token into files, nor show it: ${address}`, async () => {
      const reason = await refusal("operator", "--repository", address, "--out", ".");
      expect(reason)
        .to.match(/^--repository .*password/)
        .and.not.contain("ghp_x");
      expect(existsSync("operator")).to.equal(false);
    });
  }

  for (const address of ["git@github.com:acme/fleet.git", "ssh://git@github.com/acme/fleet.git"]) {
    it(`takes the user that SSH needs: ${address}`, async () => {
      expect(await run("operator", "--repository", address)).to.contain(`projectRepo: ${address}\n`);
    });
  }

  it("applies the branch that is asked for", async () => {
    expect(await run("operator", "--repository", "r")).to.contain("branch: main\n");
    expect(await run("operator", "--repository", "r", "--branch", "live")).to.contain("branch: live\n");
    expect(await run("github")).to.contain("refs/heads/main'");
    const workflow = await run("github", "--branch", "release/1.x");
    expect(workflow).to.contain("--branch release/1.x").and.to.contain("refs/heads/release/1.x'");
    expect(workflow).not.to.match(/\bmain\b/);
    for (const branch of ["a*", "it's", "!main", "-x", "a b"]) {
      expect(await refusal("github", `--branch=${branch}`)).to.contain(
        `'--branch <name>' argument '${branch}' is invalid.`,
      );
    }
  });

  for (const [kind, option, value, others] of [
    ["gitlab", "--branch", "main", "github and operator"],
    ["github", "--repository", "r", "operator"],
    ["gitlab", "--organization", "acme", "operator"],
    ["operator", "--jobs", "2", "github and gitlab"],
  ] as const) {
    it(`refuses ${option} for ${kind}, where it has no effect`, async () => {
      expectFacts(await refusal(kind, option, value), [`${option} `, others, kind]);
    });
  }

  it("makes nothing of a fleet without sites", async () => {
    declare({ fleet: "acme", shards: 2, sites: {} });
    for (const args of [["github"], ["gitlab"], ["operator", "--repository", "r"]]) {
      expectFacts(await refusal(...args), ["manifest", "acme", "devices"]);
    }
  });

  it("writes nothing for a manifest that is refused", async () => {
    declare({ fleet: "acme", businessId: "acme", sites: { "a b": {} } });
    expect(await refusal("github", "--out", ".")).to.match(/^fleet.yaml:1:\d+: /);
    expect(existsSync(".github")).to.equal(false);
  });

  it("says what is wrong with its arguments", async () => {
    expect(await refusal("jenkins")).to.contain("Allowed choices are github, gitlab, operator.");
    expect(await refusal("github", "--jobs", "none")).to.match(/'none' is invalid\..* 1 .* 200\./);
    expect(await refusal("github", "--jobs", "5")).to.match(/^--jobs .* 4, .* 5$/);
    expectFacts(await refusal("operator"), ["operator", "--repository"]);
  });
});
