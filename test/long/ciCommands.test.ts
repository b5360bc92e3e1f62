import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { outputOf, ROOT } from "../support/project";

const read = (file: string) => parse(readFileSync(join(ROOT, "examples", "ci", file), "utf8"));
const gitlab = (job: string): string => read("gitlab-ci.yml")[job].script.join("\n");
const github = (file: string, name: string): string =>
  Object.values<{ steps: { name?: string; run: string }[] }>(read(`github/${file}`).jobs)
    .flatMap(({ steps }) => steps)
    .find((step) => step.name === name)?.run ?? "";

/** Runs the commands of the workflows like a runner (bash -e). Scripts that only return an exit code replace ours. */
describe("ci: the reaction of the jobs to the scripts' exit codes", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-ci-"));
    mkdirSync(join(folder, "ci"));
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "npx"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (commands: string, scriptEndsWith: number, env: NodeJS.ProcessEnv = {}) => {
    for (const script of ["preview.sh", "drift.sh", "approve.sh", "up.sh"]) {
      writeFileSync(
        join(folder, "ci", script),
        `#!/bin/sh\necho "$SOLAR_CHARGING_APPROVED" >set\nexit ${scriptEndsWith}\n`,
        { mode: 0o755 },
      );
    }
    return outputOf(
      spawn("bash", ["-e", "-c", commands], {
        cwd: folder,
        env: {
          ...process.env,
          PATH: `${join(folder, "bin")}:${process.env.PATH}`,
          PULUMI_STACK: "acme/home/prod",
          GITHUB_OUTPUT: join(folder, "output"),
          GITLAB_TOKEN: "",
          ...env,
        },
      }),
    );
  };

  const posts = (what: string, options = "") =>
    `solar-charging review --name acme/home/prod ${options}--post ${what} preview.json\n`;

  for (const [code, ends] of [
    [0, 0],
    [7, 0],
    [1, 1],
  ] as const) {
    it(`drift.sh's ${code} lets GitHub's step ${ends ? "fail" : "pass, and later steps know it"}`, async () => {
      expect(await run(github("drift.yml", "Check"), code)).to.include({ code: ends, text: "" });
      expect(readFileSync(join(folder, "output"), "utf8")).to.equal(`code=${code}\n`);
    });

    it(`drift.sh's ${code} lets GitLab's job ${ends ? "fail" : code ? "post an issue and pass" : "pass"}`, async () => {
      const text = code === 7 ? posts("issue") : "";
      expect(await run(gitlab("drift"), code)).to.include({ code: ends, text });
    });
  }

  for (const code of [0, 1]) {
    it(`GitLab's preview that ends with ${code} is posted, and the job ends with ${code}`, async () => {
      const variables = { FAIL_ON: "removed", ACCEPTED_BY: "label" };
      const posted = await run(gitlab("preview"), code, { GITLAB_TOKEN: "token", ...variables });
      const options = "--fail-on removed --accepted-by label ";
      expect(posted).to.include({ code, text: posts("comment", options) });
    });
  }

  /** The lines of a file that a step has written. */
  const written = (file: string) => readFileSync(join(folder, file), "utf8").trim();
  const DIGEST = `sha256:${createHash("sha256").update("a set").digest("hex")}`;

  it("the digest of the set goes from the step that approves to the one that updates", async () => {
    writeFileSync(join(folder, "approved.json"), "a set");
    expect((await run(github("up.yml", "Approve"), 0)).code).to.equal(0);
    expect(written("output")).to.equal(`digest=${DIGEST}`);
    const { jobs } = read("github/up.yml");
    expect(jobs.approve.outputs.digest).to.match(/^\$\{\{ steps\.approve\.outputs\.digest \}\}$/);
    expect(jobs.up.steps.find(({ name }: { name?: string }) => name === "Up").env.SOLAR_CHARGING_APPROVED).to.match(
      /^approved\.json#\$\{\{ needs\.approve\.outputs\.digest \}\}$/,
    );
    expect((await run(gitlab("approve"), 0)).code).to.equal(0);
    expect(written("digest.env")).to.equal(`DIGEST=${DIGEST}`);
    expect((await run(gitlab("up"), 0, { DIGEST })).code).to.equal(0);
    expect(written("set")).to.equal(`approved.json#${DIGEST}`);
  });

  it("the job fails if the change cannot be approved, or the update fails", async () => {
    for (const commands of [github("up.yml", "Approve"), github("up.yml", "Up"), gitlab("approve"), gitlab("up")]) {
      expect((await run(commands, 1)).code).to.equal(1);
    }
  });

  it("a fork's preview at GitLab, which has no token, is not posted", async () => {
    expect(await run(gitlab("preview"), 0)).to.include({ code: 0, text: "" });
  });
});
