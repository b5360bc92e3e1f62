import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(__dirname, "../../..");

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
export const capacity: pulumi.Output<number | undefined> = car.reported.apply(({ maxCapacity }) => maxCapacity);
`;

describe("types: a user's project", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-types-"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "index.ts"), PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What the compiler says about the program with these options, without skipLibCheck: the empty text when all is well. */
  function check(module: string, moduleResolution: string): string {
    const args = ["--noEmit", "--strict", "--target", "es2020", "--types", "node"];
    const compiler = require.resolve("typescript/bin/tsc");
    const files = ["--module", module, "--moduleResolution", moduleResolution, "index.ts"];
    try {
      return execFileSync(process.execPath, [compiler, ...args, ...files], { cwd: folder, encoding: "utf8" });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  it("checks with the options of Pulumi's template", () => {
    expect(check("commonjs", "node")).to.equal("");
  });

  it("checks with the options of current Node", () => {
    expect(check("nodenext", "nodenext")).to.equal("");
  });
});
