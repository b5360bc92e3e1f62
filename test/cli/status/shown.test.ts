import { writeFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { readMeasured } from "../../../cli/measured/read";
import { withMeasured } from "../../../cli/status/look";
import { type LoneDevice, sitesNamed } from "../../../cli/status/model";
import { prometheusOf } from "../../../cli/status/prometheus";
import { exitCodeOfStatus, statusOf } from "../../../cli/status/status";
import { statusTable } from "../../../cli/status/table";
import { deviceOf } from "../../../measure/results/device";
import type { Gap } from "../../../provider/settings/readiness";
import { expectLike } from "../../support/facts";
import { temporaryFolder } from "../../support/folder";
import { device, largeStatus, site, statusWith } from "../../support/statuses";

const plain = (_: unknown, text: string) => text;
const linesOf = (status: ReturnType<typeof statusWith>, columns: number, allDevices = false) =>
  statusTable(status, { columns, styled: plain, allDevices }).split("\n");

const DRIFTED = site("bonn", {
  observed: { verdict: "notReady", reasons: [{ device: "inverter/roof", setting: "azimuth", code: "drift" }] },
  devices: [device("inverter/roof", { drift: ["azimuth"], reported: { azimuth: 22.5 } }), device("vehicle/car")],
});

describe("status: the table", () => {
  const path = temporaryFolder();

  for (const columns of [80, 100, 120, 200]) {
    it(`fits ${columns} columns`, () => {
      const lines = linesOf(largeStatus(62), columns, true);
      expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(columns);
      expect(lines.filter((line) => line.includes("site-0061"))).to.have.length(1);
    });
  }

  it("has a line for a ready site, and for each reason why another one is not", () => {
    const lines = linesOf(statusWith([DRIFTED, site("ames")]), 120);
    const at = (word: string) => lines.find((line) => line.includes(word)) ?? "";
    expect(at("bonn")).to.match(/^✗ bonn +no +yes/);
    expect(at("inverter/roof")).to.match(/azimuth \w+ 22\.5° \(NNE\), declared 180° \(S\)/);
    expect(at("ames")).to.match(/^✓ ames +yes +yes +2 devices/);
    expect(lines.join("\n")).to.not.contain("vehicle/car");
  });

  it("has one line for the settings of a device that the service accepted and does not report", () => {
    const label = "inverter/roof";
    const unseen = ["tilt", "azimuth", "baseLoad"];
    const reasons = unseen.map((setting) => ({ device: label, setting, code: "unseen" }) as const);
    const observed = { verdict: "unknown", reasons } as const;
    const lines = linesOf(statusWith([site("bonn", { observed, devices: [device(label, { unseen })] })]), 200);
    expect(lines.filter((line) => line.includes("not reported"))).to.have.length(1);
    expectLike([lines.at(-1) ?? ""], ["    inverter/roof …: tilt, azimuth and base load"]);
  });

  it("has one line for the settings of a device that no update has applied, with the values that it has now", () => {
    const changes = {
      toApply: ["maxCapacity", "maxChargePower"],
      declared: { maxCapacity: 77_000, maxChargePower: 11_000 },
      reported: { maxCapacity: 60_000 },
    };
    const lines = linesOf(statusWith([site("bonn", { devices: [device("vehicle/car", changes)] })]), 200);
    expectLike([lines.at(-1) ?? ""], ["    vehicle/car …: capacity 77 kWh (… 60 kWh), charge power 11 kW"]);
  });

  it("has a column for the last change if there is one", () => {
    const updates = [
      { time: "2026-11-22T07:20:00.000Z", by: "ada", operation: "update", outcome: "accepted", run: "1" },
    ];
    const headOf = (changes: object) =>
      linesOf(
        statusWith([site("bonn", { devices: [device("vehicle/car", { drift: ["policy"], ...changes })] })]),
        120,
      )[3];
    expect(headOf({ updates: updates.map((one) => ({ ...one, settings: [] })) })).to.contain("LAST CHANGE");
    expect(headOf({})).to.not.contain("LAST CHANGE");
  });

  it("has one line for drift that several cars share, and no line of theirs, unless all devices are asked for", () => {
    const changes = {
      drift: ["policy"],
      declared: { policy: "CHARGE BY FORECAST" },
      reported: { policy: "CHARGE BY" },
    };
    const sites = ["ames", "bonn", "cork"].map((name) => site(name, { devices: [device("vehicle/car", changes)] }));
    const text = linesOf(statusWith(sites), 120).join("\n");
    expect(text).to.match(/^3 devices: policy .*CHARGE BY.* \(ames car, bonn car, cork car\)$/m);
    expect(text)
      .to.match(/^! bonn .*1 device as above/m)
      .and.not.to.contain("vehicle/car");
    expect(
      linesOf(statusWith(sites), 120, true)
        .join("\n")
        .match(/vehicle\/car/g),
    ).to.have.length(3);
  });

  it("has one line for devices that cannot be read for the same reason, and one for equal warnings", () => {
    const problem = { code: "unread", finding: "no connection. Check the network" } as const;
    const warnings = [{ code: "ignored-metadata", finding: "looks odd" }] as const;
    const sites = ["ames", "bonn", "cork"].map((name) =>
      site(name, {
        observed: { verdict: "unknown", reasons: [{ device: "vehicle/car", code: "unread" }] },
        devices: [device("vehicle/car", { problem }), device("inverter/roof", { problem, warnings })],
      }),
    );
    const lines = linesOf(statusWith(sites), 120);
    expect(lines.filter((line) => line.includes("no connection"))).to.have.length(1);
    expectLike(lines.slice(3, 5), ["6 devices: no connection…", "3 devices: looks odd (ames roof, …)"]);
    expect(lines.find((line) => line.startsWith("! bonn"))).to.contain("2 devices as above");
    expect(lines).to.have.length(10);
  });

  it("has one line for a new site, and a line for each setting that a new site lacks", () => {
    const gaps = (reason: Gap["reason"]): Gap[] =>
      ["maxCapacity", "maxChargePower"].map((setting) => ({ device: "vehicle/car", setting, reason }));
    const { observed: _, ...fresh } = site("bonn", { change: "new", ready: false });
    const linesWith = (reason: Parameters<typeof gaps>[0]) => {
      const devices = [device("vehicle/car", { toApply: ["maxCapacity", "maxChargePower"] })];
      return linesOf(statusWith([{ ...fresh, gaps: gaps(reason), devices }]), 120).length;
    };
    expect(linesWith("notDeclared") - linesWith("notAccepted")).to.equal(2);
  });

  it("counts the sites whose cars all declare another policy, in the first line", () => {
    const other = { declared: { policy: "CHARGE BY" }, isLeftOut: true };
    const statusFor = (...devices: Partial<LoneDevice>[]) => {
      const cars = devices.map((one, index) => device(`vehicle/${index}`, one));
      const sites = [site("ames"), site("bonn", { devices: [device("inverter/roof"), ...cars] })];
      return statusOf({ of: "fleet", name: "acme", sites, stackErrors: [] }, { time: "2026-11-22", isOffline: false });
    };
    expect(statusFor(other).counts).to.include({ ready: 2, otherPolicies: 1 });
    expect(linesOf(statusFor(other), 120)[0]).to.match(/^acme: 2 of 2 .*, 1 without a car/);
    expect(linesOf(statusFor(other), 120).find((line) => line.includes("bonn"))).to.contain("another policy");
    for (const cars of [[other, {}], [], [{ ...other, observe: true }]])
      expect(statusFor(...cars).counts.otherPolicies, JSON.stringify(cars)).to.equal(0);
  });

  it("marks a site for the same devices for which it exits with 2, also for one that does not count", () => {
    const guest = device("vehicle/guest", { isLeftOut: true, ownStatus: { optedOut: true } });
    const status = statusWith([site("bonn", { devices: [guest] })]);
    expect(exitCodeOfStatus(status)).to.equal(2);
    expect(linesOf(status, 120).find((line) => line.includes("bonn"))).to.match(/^! bonn/);
  });

  it("leads with the sites that are ready now, and those that are declared", () => {
    expectLike(linesOf(statusWith([DRIFTED, site("ames")]), 80).slice(0, 2), [
      "acme: 1 … 2 sites ready now (2 declared)",
      "1 … ready now",
    ]);
    const { counts, ...status } = statusWith([DRIFTED, site("ames")], { isOffline: true });
    const { observed: _, ...declared } = counts;
    expect(linesOf({ ...status, counts: declared }, 80)[0]).to.match(/^acme: 2 \w+ 2 sites declared ready$/);
  });

  it("says of a solar site that each of its cars declares its own policy", () => {
    const lineOf = (policies: readonly string[], changes: object = {}) => {
      const devices = policies.map((policy, index) => device(`vehicle/${index}`, { declared: { policy } }));
      const lines = linesOf(statusWith([site("bonn", { devices, ...changes })]), 300);
      return lines.find((line) => line.includes("bonn"));
    };
    expect(lineOf(["CHARGE BY", "CHARGE BY"])).to.contain("policy");
    expect(lineOf(["CHARGE BY", "CHARGE BY FORECAST"])).to.not.contain("policy");
    expect(lineOf(["CHARGE BY"], { solar: false })).to.not.contain("policy");
    expect(lineOf([])).to.not.contain("policy");
  });

  it("counts and shows values that look wrong, also of a ready site", () => {
    const warnings = [{ code: "azimuth-off-equator", finding: "azimuth 10 degrees faces north" }] as const;
    const lines = linesOf(statusWith([site("ames", { devices: [device("inverter/roof", { warnings })] })]), 80);
    expect(lines.join("\n")).to.contain("1 value that may be wrong").and.to.contain(warnings[0].finding);
    expect(lines.find((line) => line.includes("ames"))).to.match(/^! ames/);
  });

  it("shows beside an inverter its measured values from the file of `measure`", () => {
    const written = (text: string) => {
      writeFileSync(path("measured.json"), text);
      return path("measured.json");
    };
    const found = {
      ...{ name: "roof", verdict: "differs", differs: ["azimuth"], clearDays: 41 },
      panels: { azimuth: "differs", tilt: "agrees", peakPower: "agrees" },
      declared: { azimuth: 180, tilt: 35, peakPower: 9800 },
      measured: { azimuth: { value: 158, uncertainty: 9 } },
    };
    const measured = readMeasured(written(JSON.stringify({ sites: [{ name: "ames", inverters: [found] }] })));
    const ames = site("ames", { devices: [device("inverter/roof"), device("vehicle/roof")] });
    const status = statusWith(
      [ames, site("bonn", { devices: ames.devices })].map((one) => withMeasured(one, measured)),
    );
    const lines = linesOf(status, 120);
    expect(lines.filter((line) => line.includes("158° ± 9°"))).to.have.lengthOf(1);
    expect(lines.findIndex((line) => line.includes("158°"))).to.be.below(lines.findIndex((l) => l.includes("bonn")));
    const planes = [90, 270].map((azimuth) => ({ azimuth, tilt: 30, peakPower: 5000 }));
    const several = { ...found, measured: undefined, planes };
    const twin = readMeasured(written(JSON.stringify({ sites: [{ name: "ames", inverters: [several] }] })));
    expect(linesOf(statusWith([withMeasured(ames, twin)]), 200).join("\n")).to.match(
      /measured 2 planes: 5 kW \w+ 90° \(E\), tilt 30° \w+ 5 kW \w+ 270° \(W\), tilt 30°/,
    );
    expect(() => readMeasured(written("{}"))).to.throw("'solar-charging measure --write'");
  });

  it("shows beside a car its measured values, and marks those that differ from the declared values of now", () => {
    const capacity = { verdict: "agrees", measured: { value: 75_100, uncertainty: 2100 }, from: "battery" } as const;
    const car = deviceOf("car", { maxCapacity: { ...capacity, declared: 75_000, sessions: 38, until: "2025-09-20" } });
    writeFileSync(path("measured.json"), JSON.stringify({ sites: [{ name: "ames", vehicles: [car] }] }));
    const measured = readMeasured(path("measured.json"));
    const linesOfCar = (maxCapacity: number, isAll: boolean) => {
      const ames = site("ames", { devices: [device("vehicle/car", { declared: { maxCapacity } })] });
      return linesOf(statusWith([withMeasured(ames, measured)]), 200, isAll).filter((line) =>
        line.includes("measured"),
      );
    };
    expect(linesOfCar(82_000, false)[0]).to.contain("capacity 82 kWh, measured 75.1 ± 2.1 kWh: it differs");
    expect(linesOfCar(75_000, false)).to.deep.equal([]);
    expect(linesOfCar(75_000, true)[0]).to.match(/capacity 75 kWh, measured 75.1 ± 2.1 kWh$/);
  });

  it("shows no control characters of a name", () => {
    const hostile = "\u001b[2J\u202egnp.exe\r\nready";
    const status = statusWith([
      site(hostile, { devices: [device(`vehicle/${hostile}`, { drift: ["policy"], reported: { policy: hostile } })] }),
    ]);
    const text = linesOf({ ...status, name: hostile, stackErrors: [{ stack: "x", finding: hostile }] }, 200, true).join(
      "",
    );
    expect(text).to.not.match(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("status: a site that the manifest no longer declares", () => {
  const gap = { device: "site", setting: "vehicles", reason: "none" } as const;
  const observed = { verdict: "notReady", reasons: [] } as const;
  const leaving = site("oslo", { change: "leaving", ready: false, gaps: [gap], observed });
  const about = { of: "fleet", name: "acme", stackErrors: [] } as const;
  const status = statusOf(
    { ...about, sites: [leaving, site("ames")] },
    { time: "2026-11-22T07:20:00.000Z", isOffline: false },
  );

  it("is not counted among those that should be ready, and is no alarm", () => {
    expect(status.counts).to.deep.include({ sites: 2, solar: 1, ready: 1, leaving: 1 });
    expect(status.counts.observed).to.deep.equal({ ready: 1, notReady: 0, unknown: 0 });
    expect(exitCodeOfStatus(status)).to.equal(0);
  });

  it("is shown with its readiness so far, and without gaps", () => {
    const line = linesOf(status, 240).find((one) => one.includes("oslo"));
    expect(line)
      .to.match(/^– oslo +– +– /)
      .and.to.contain("(was not ready)");
    expect(line).to.not.contain("vehicles");
  });

  it("has no readiness in the metrics", async () => {
    const samples = (await prometheusOf(status)).split("\n");
    expect(samples.filter((one) => one.startsWith("solar_charging_site_ready{"))).to.have.lengthOf(1);
  });
});

describe("status: a device that the manifest no longer declares", () => {
  const leaving = [{ device: "acme/old", label: "vehicle/old" }];
  const sites = [site("oslo", { leaving }), site("rome", { change: "leaving" })];
  const about = { time: "2026-11-22T07:20:00.000Z", isOffline: false };
  const status = statusOf({ of: "fleet", name: "acme", stackErrors: [], sites }, about);

  it("is counted with the others in the list", () => {
    const listed = status.sites.flatMap((one) => [...one.devices, ...(one.leaving ?? [])]);
    expect(status.counts.devices).to.equal(listed.length);
    expect(linesOf(status, 200).join("\n")).to.contain(`${listed.length} devices`);
  });

  it("is found by its name and id", () => {
    for (const text of ["vehicle/old", "acme/OLD"]) {
      expect(sitesNamed(sites, text).map(({ name }) => name)).to.deep.equal(["oslo"]);
    }
  });

  it("has a line, and is no alarm", () => {
    expect(linesOf(status, 200).find((line) => line.includes("vehicle/old"))).to.contain("no longer declared");
    expect(exitCodeOfStatus(status)).to.equal(0);
  });
});

describe("status: the exit code", () => {
  const coded = (...sites: Parameters<typeof statusWith>[0]) => exitCodeOfStatus(statusWith(sites));
  const with1 = (changes: Parameters<typeof device>[1]) => site("x", { devices: [device("vehicle/car", changes)] });

  it("is 0 if nothing is to be done, also if not all is reported, and for sites without sun", () => {
    expect(coded(site("a"), site("b", { observed: { verdict: "unknown", reasons: [] } }))).to.equal(0);
    expect(coded(site("c", { solar: false, ready: false }))).to.equal(0);
  });

  it("is 2 if a site needs attention", () => {
    expect(coded(site("a", { ready: false }))).to.equal(2);
    expect(coded(DRIFTED)).to.equal(2);
    expect(coded(with1({ ownStatus: { optedOut: true } }))).to.equal(2);
    expect(exitCodeOfStatus(statusWith([], { devices: [device("vehicle/car", { drift: ["policy"] })] }))).to.equal(2);
  });

  it("is 1 if something could not be read", () => {
    expect(coded(with1({ problem: { code: "unread", finding: "HTTP 503" } }))).to.equal(1);
    expect(exitCodeOfStatus(statusWith([], { stackErrors: [{ stack: "x", finding: "locked" }] }))).to.equal(1);
  });
});

/** A line of the text format, as node_exporter reads it: name, labels, value. */
const SAMPLE = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[\d.e+]+)$/;

describe("status: metrics", () => {
  it("have a help, a type, and labels that any name fits into", async () => {
    const name = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('"} 1\nevil 2', "\\", "a\nb", '\\"'));
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        const text = await prometheusOf(
          statusWith([site(one, { devices: [device(`vehicle/${other}`)] })], { name: other }),
        );
        const lines = text.split("\n").filter((line) => line !== "");
        const samples = lines.filter((line) => !line.startsWith("# "));
        for (const line of samples) expect(line).to.match(SAMPLE);
        const declared = lines.flatMap((line) => /^# TYPE (\S+) gauge$/.exec(line)?.[1] ?? []);
        expect(declared).to.include.members(samples.map((line) => SAMPLE.exec(line)?.[1]));
      }),
      { numRuns: 100 },
    );
  });

  it("describe a site and its devices, each once", async () => {
    const text = await prometheusOf(statusWith([DRIFTED, site("ames")]));
    expect(text).to.contain('solar_charging_sites{fleet="acme",ready="true"} 2\n');
    expect(text).to.contain('solar_charging_site_observed_ready{fleet="acme",stack="dev",site="bonn"} 0\n');
    expect(text).to.match(/solar_charging_device_drifted_settings\{.*name="inverter\/roof"\} 1\n/);
    const samples = text.split("\n").map((line) => line.split(" ")[0]);
    const metrics = samples.filter((sample) => sample?.includes("{"));
    expect(new Set(metrics).size).to.equal(metrics.length);
  });

  it("of a stack name its project", async () => {
    const text = await prometheusOf(statusWith([site("home")], { of: "stack", name: "test/dev" }));
    expect(text).to.contain('solar_charging_site_ready{project="test",stack="dev",site="home"} 1\n');
  });
});
