import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Prepared, Setting } from "./contestant";
import { oneStack, ROOT } from "./pulumi";

/** The same program over the native plugin, which is this build. */
export async function plugin(setting: Setting): Promise<Prepared> {
  const bin = join(setting.folder, "bin");
  mkdirSync(bin);
  const main = join(ROOT, "dist", "provider", "plugin", "main.js");
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(bin, "pulumi-resource-solar-charging"), script, { mode: 0o755 });
  const env = { ...setting.env, PATH: [bin, setting.env.PATH].join(delimiter) };
  return await oneStack(
    { ...setting, env },
    {
      package: "pulumi-solar-charging/native",
      name: setting.workload.job === "sites" ? "SiteSettings" : "VehicleSettings",
    },
  );
}
