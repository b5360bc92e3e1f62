import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(__dirname, "../../..");

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { ChargePolicy, getDeviceOutput, InverterSettings, SolarReadiness, VehicleSettings } from "pulumi-solar-charging";

const roof = new InverterSettings("roof", { deviceId: pulumi.output("roof"), peakPower: Promise.resolve(9800) });
const car = new VehicleSettings("car", { deviceId: "car", policy: ChargePolicy.ChargeByForecast }, { dependsOn: roof });
const maybe: pulumi.Output<number | undefined> = car.maxCapacity;
const site = new SolarReadiness("site", {
  vehicles: { car, van: { deviceId: "van", maxCapacity: maybe } },
  inverters: { roof, barn: { deviceId: "barn", azimuth: { degrees: pulumi.output(-90), convention: "solcast" } } },
  requireReady: pulumi.output(true),
});
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
