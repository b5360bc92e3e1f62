import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { capacityOf, type Prepared, type Setting } from "./contestant";
import { measure } from "./measure";
import { environmentOf, PROJECT, PULUMI_ARGUMENTS, ROOT, stateBytesIn } from "./pulumi";
import { sitesOf } from "./workload";

/** The resources as a program in Pulumi's YAML over the native plugin, in one stack. */
export async function yaml(setting: Setting): Promise<Prepared> {
  const { folder, sites } = setting;
  const env = environmentOf(setting);
  const write = (capacity: number) => {
    const resources = Object.entries(sitesOf(sites, capacity)).map(([name, properties]) => [
      name,
      { type: "solar-charging:index:SiteSettings", properties },
    ]);
    const providers = [{ name: "solar-charging", path: join(ROOT, "dist", "plugin") }];
    const program = {
      name: PROJECT,
      runtime: "yaml",
      plugins: { providers },
      resources: Object.fromEntries(resources),
    };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(program)); // JSON is valid YAML.
  };
  write(capacityOf("first preview"));
  await measure({ command: "pulumi", args: ["stack", "init", "dev"], cwd: folder, env });
  return {
    command(operation) {
      write(capacityOf(operation));
      return { command: "pulumi", args: [...PULUMI_ARGUMENTS[operation], "--non-interactive"], cwd: folder, env };
    },
    stateBytes: () => stateBytesIn(setting),
  };
}
