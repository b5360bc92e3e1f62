import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Output, type Project, ROOT } from "./project";

/**
 * The policy pack as it is published, unpacked in the folder of a project.
 *
 * Some language hosts cannot run policy packs. If a runtime has no language host, the engine runs its packs with a
 * program named after the runtime. So this pack gets a runtime of our own, whose program starts it as Node's language
 * host does.
 */
export class PolicyPack {
  private readonly folder: string;
  private readonly bin: string;

  constructor(private readonly project: Project) {
    this.folder = join(project.folder, "policy-pack");
    this.bin = join(project.folder, "bin");
    const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", project.folder];
    const archive = execFileSync("npm", pack, { cwd: join(ROOT, "policy"), encoding: "utf8" }).trim();
    mkdirSync(this.folder);
    execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", this.folder], { cwd: project.folder });

    const runtime = "nodejs-of-this-test";
    const manifest = readFileSync(join(this.folder, "PulumiPolicy.yaml"), "utf8");
    project.write("policy-pack/PulumiPolicy.yaml", manifest.replace(/^runtime: nodejs$/m, `runtime: ${runtime}`));
    const starter = join(this.bin, `pulumi-analyzer-policy-${runtime}`);
    mkdirSync(this.bin, { recursive: true });
    const main = join(ROOT, "node_modules", "@pulumi", "pulumi", "cmd", "run-policy-pack");
    writeFileSync(starter, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(starter, 0o755);
  }

  /** Previews the program of the project with the pack. @param config of the pack */
  async preview(config: object = {}): Promise<Output> {
    this.project.write("policy.json", JSON.stringify(config));
    const PATH = [this.bin, this.project.env.PATH].join(delimiter);
    const args = ["preview", "--policy-pack", this.folder, "--policy-pack-config", "policy.json"];
    return await this.project.pulumi(args, { PATH });
  }
}

/** A violation as the engine shows it. */
export interface Violation {
  readonly level: string;
  readonly rule: string;
  /** Name of the resource, or of the stack. */
  readonly resource: string;
  /** Description of the rule, then the finding. */
  readonly lines: readonly string[];
}

/** The violations that a preview shows. */
export function violationsIn({ text }: Output): Violation[] {
  const entries = text.matchAll(/^ {8}- \[(\w+)\] {2}(\S+) {2}\(\S+: (\S+)\)\n((?: {10}.*\n)*)/gm);
  return [...entries].map(([, level = "", rule = "", resource = "", found = ""]) => ({
    level,
    rule,
    resource,
    lines: found.trim().split(/\n */),
  }));
}
