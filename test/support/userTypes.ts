import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "chai";
import { blocksOf } from "./markdown";
import { ROOT } from "./project";

/** README, and the pages of docs/. */
const PAGES = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)].filter((page) =>
  page.endsWith(".md"),
);

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { ChargePolicy, getDeviceOutput, InverterSettings, SiteSettings, VehicleSettings } from "pulumi-solar-charging";

const roof = new InverterSettings("roof", { deviceId: pulumi.output("roof"), peakPower: Promise.resolve(9800) });
const car = new VehicleSettings("car", { deviceId: "car", policy: ChargePolicy.ChargeByForecast }, { dependsOn: roof });
const maybe: pulumi.Output<number | undefined> = car.maxCapacity;
const site = new SiteSettings("site", {
  vehicles: { car: { deviceId: "car", observe: true }, van: { deviceId: "van", maxCapacity: maybe } },
  inverters: pulumi.output({
    roof: { deviceId: "roof", observe: true as const },
    barn: { deviceId: "barn", peakPower: "9.8 kWp", azimuth: { degrees: -90, convention: "solcast" as const } },
  }),
  latitude: "52.5°",
  requireReady: pulumi.output(true),
});
export const causes: pulumi.Output<string[]> = site.gaps.apply((gaps) => gaps.map(({ device, setting, reason }) => [device, setting, reason].join(" ")));
export const ready: pulumi.Output<boolean> = site.ready;
export const title: pulumi.Output<string | undefined> = getDeviceOutput({ deviceId: car.deviceId }).apply(
  ({ personal }) => personal.title,
);
export const status: pulumi.Output<string | undefined> = car.settings.apply(({ maxCapacity }) => maxCapacity?.status);
export const capacity: pulumi.Output<number | undefined> = site.devices.apply(
  (devices) => devices["vehicle/car"]?.settings.maxCapacity?.reported,
);
`;

/** Describes the check of the types in all programs of users, with these options of the compiler. */
export function describeTypes(title: string, module: string, moduleResolution: string): void {
  describe(`types: a user's project with the options of ${title}`, () => {
    let folder: string;
    const files = ["index.ts"];
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "solar-charging-types-"));
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
      writeFileSync(join(folder, "package.json"), "{}");
      writeFileSync(join(folder, "index.ts"), PROGRAM);
      cpSync(join(ROOT, "examples"), join(folder, "examples"), {
        recursive: true,
        filter: (source) => basename(source) !== "node_modules",
      });
      for (const name of ["automation", "depot", "fleet", "home", "operations"])
        files.push(`examples/${name}/index.ts`);
      for (const page of PAGES) {
        for (const [index, { text }] of blocksOf(page)
          .filter(({ language }) => language === "ts")
          .entries()) {
          const file = `${basename(page, ".md")}-${index}.ts`;
          writeFileSync(join(folder, file), text);
          files.push(file);
        }
      }
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("has programs of README, docs/ and examples/", () => {
      expect(files).to.include.members(["README-0.ts", "concepts-0.ts", "examples/home/index.ts"]);
    });

    it("checks, also the types of this package", () => {
      const args = ["--noEmit", "--strict", "--target", "es2020", "--types", "node"];
      const compiler = require.resolve("typescript/bin/tsc");
      const modules = ["--module", module, "--moduleResolution", moduleResolution];
      const all = [compiler, ...args, ...modules, ...files];
      const { stdout } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" });
      expect(stdout).to.equal("");
    });
  });
}
