import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "chai";
import { blocksOf } from "../support/markdown";
import { ROOT } from "../support/project";

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
export const capacity: pulumi.Output<number | undefined> = car.reported.apply(({ maxCapacity }) => maxCapacity);
`;

describe("types: a user's project", () => {
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
    for (const name of ["depot", "fleet", "home"]) files.push(`examples/${name}/index.ts`);
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

  /** What the compiler says about the program with these options, without skipLibCheck: the empty text when all is well. */
  function check(module: string, moduleResolution: string): string {
    const args = ["--noEmit", "--strict", "--target", "es2020", "--types", "node"];
    const compiler = require.resolve("typescript/bin/tsc");
    const modules = ["--module", module, "--moduleResolution", moduleResolution];
    try {
      return execFileSync(process.execPath, [compiler, ...args, ...modules, ...files], {
        cwd: folder,
        encoding: "utf8",
      });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  it("has programs of README, docs/ and examples/", () => {
    expect(files).to.include.members(["README-0.ts", "concepts-0.ts", "examples/home/index.ts"]);
  });

  it("checks with the options of Pulumi's template", () => {
    expect(check("commonjs", "node")).to.equal("");
  });

  it("checks with the options of current Node", () => {
    expect(check("nodenext", "nodenext")).to.equal("");
  });
});
