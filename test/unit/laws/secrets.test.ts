import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { ledgerLine } from "../../../provider/ledger/ledgerLine";
import type { Context } from "../../../provider/lifecycle/run/context";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { textOf } from "../../../provider/messages/message";
import type { DeviceRef } from "../../../provider/service/device";
import { failureOfStatus, ServiceError } from "../../../provider/service/errors";
import type { Properties } from "../../../provider/settings/objects";
import { omit } from "../../../provider/settings/objects";
import type { NotedRun } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";
import { refOf, SiteStack, siteService } from "../../support/sites";

/** Each value that a setting has in a life, as the service has it. No other number of these texts looks like one of them. */
const CAPACITIES = [61_987, 76_543, 58_321, 77_891];
const POWERS = [7_351, 11_357, 3_729, 8_642];
const TILTS = [23, 37, 41, 29];
const PEAKS = [5_483, 9_871, 6_197, 8_753];
const VALUES: Readonly<Record<string, readonly number[]>> = {
  "vehicles.a.maxCapacity": CAPACITIES,
  "vehicles.a.maxChargePower": POWERS,
  "inverters.p.tilt": TILTS,
  "inverters.p.peakPower": PEAKS,
};

/** A number in the forms in which a text can contain it. */
function spellings(value: number): string[] {
  const kilo = value / 1000;
  return [
    ...[String(value), value.toLocaleString("en"), value.toLocaleString("de"), value.toFixed(1), value.toExponential()],
    ...(value >= 1000 ? [String(kilo), String(kilo).replace(".", ","), kilo.toFixed(1)] : []),
  ];
}

/** The secret values that texts contain. */
function leaks(texts: readonly string[], secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((path) => (VALUES[path] ?? []).flatMap(spellings));
  // These facts in a line of the ledger can contain any number.
  const searched = texts.map((text) => text.replace(/"(?:time|run|by)":"[^"]*"/g, ""));
  return searched.flatMap((text) =>
    forms
      .filter((form) => new RegExp(`(?<![\\d.,])${form.replace(/[.+]/g, "\\$&")}(?![\\d]|[.,]\\d)`).test(text))
      .map((form) => `${form}: ${text}`),
  );
}

/** The declared settings in a ledger: `vehicles.a.maxCapacity true` if the line marks it as a secret. */
function marksIn(file: string): string[] {
  return changesIn(file).map(({ place, secret = false }) => `${place} ${secret}`);
}

/** The marks that the lines of a ledger must have. */
function marksOf(secrets: readonly string[], file: string): string[] {
  return changesIn(file).map(({ place }) => `${place} ${secrets.includes(place)}`);
}

function changesIn(file: string) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines.flatMap((line) => {
    const { deviceId, changes } = ledgerLine.parse(JSON.parse(line));
    const device = deviceId === "car-a" ? "vehicles.a" : "inverters.p";
    return changes.map(({ key, secret }) => ({ place: `${device}.${key}`, secret }));
  });
}

class SecretSite extends SiteStack {
  readonly texts: string[] = [];
  secrets: readonly string[] = [];

  override context(facts: Partial<Context> = {}): Context {
    const values = this.secrets.flatMap((path) => VALUES[path] ?? []);
    return super.context({ secrets: new SecretInputs(this.secrets, values), ...facts });
  }

  override run(): NotedRun {
    const run = super.run();
    // The lines of the run's file.
    const done: typeof run.report.done = (make) => {
      const made = make();
      const problems = [...Object.values(made.problems), ...(made.problem ? [made.problem] : [])];
      this.texts.push(JSON.stringify(made), ...problems.map((problem) => textOf(problem)));
    };
    return Object.assign(run, { report: { ...run.report, done } });
  }

  /** Notes what a preview shows, of a new or a known site. */
  async notePreview(args: Properties, live: Context["live"]): Promise<void> {
    const run = this.run();
    const context = this.context({ live, isPreview: true });
    const { inputs, problems } = await this.check(args, run, { live, isPreview: true });
    await this.operations(run).diff(context, this.outputs, inputs);
    this.texts.push(...problems.map(({ reason }) => reason), ...run.shown);
  }

  async note(work: Promise<{ reasons: readonly string[]; error: Error | undefined; infos: string }>): Promise<void> {
    const { reasons, error, infos } = await work;
    this.texts.push(...reasons, ...(error ? [error.message] : []), infos, ...this.shown);
  }
}

/** Number of random histories: `LAW_RUNS=3000 npx mocha dist/test/unit/laws/secrets.test.js`. */
const { LAW_RUNS = "150" } = process.env;

const faults = fc.constantFrom("none", "adjusted", "pending", "refused", "lost", "stale");

describe("secret settings", () => {
  const path = temporaryFolder();

  it("would be found by this test: a setting that is no secret is shown", async () => {
    const site = new SecretSite(siteService());
    await site.notePreview({ vehicles: { a: { deviceId: "car-a", maxCapacity: CAPACITIES[1] } } }, {});
    expect(leaks(site.texts, ["vehicles.a.maxCapacity"])).to.not.deep.equal([]);
  });

  it("are in no message, error or line of a run, in no unit, and marked in the ledger", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(Object.keys(VALUES), { minLength: 1 }),
        fc.array(faults, { minLength: 3, maxLength: 3 }),
        fc.constantFrom("retain", "restore"),
        fc.boolean(),
        fc.constantFrom(undefined, "ledger", "no/ledger"),
        async (secrets, [first, second, third], onDelete, staysDeclared, lastLedger) => {
          const service = siteService();
          const [car, roof]: [DeviceRef, DeviceRef] = [refOf("car-a"), refOf("roof-p")];
          const at = (index: number) => ({
            car: { max_capacity: CAPACITIES[index], max_charge_power: POWERS[index] },
            roof: { tilt: TILTS[index], peak_power: PEAKS[index] },
          });
          service.set(car, at(0).car);
          service.set(roof, at(0).roof);
          const ledger = path("ledger");
          rmSync(ledger, { force: true });
          const environment: NodeJS.ProcessEnv = lastLedger === undefined ? {} : { SOLAR_CHARGING_LEDGER_FILE: ledger };
          const site = new SecretSite(service, environment);
          site.secrets = secrets;
          const args = (index: number) => ({
            onDelete,
            vehicles: { a: { deviceId: "car-a", maxCapacity: CAPACITIES[index], maxChargePower: POWERS[index] } },
            inverters: {
              p: {
                ...{ deviceId: "roof-p", peakPower: PEAKS[index], azimuth: 180, tilt: TILTS[index] },
                cutInThreshold: 150,
                baseLoad: 400,
              },
            },
          });
          const begin = (fault: string | undefined) => {
            service.staleReads = fault === "stale" || fault === "pending" ? 1 : 0;
            service.beforeUpdate = (device) => {
              const extract = `max ${CAPACITIES.join(" ")} Wh, ${CAPACITIES.map((one) => one / 1000)} kWh, ${POWERS} ${TILTS} ${PEAKS}`;
              const failure = { ...failureOfStatus(422, ""), extract };
              if (fault === "refused") throw new ServiceError("update", device, failure, { maybeApplied: false });
              if (fault === "lost") throw new ServiceError("update", device, failure, { maybeApplied: true });
            };
            service.afterUpdate = (device) => {
              if (fault === "adjusted") service.set(device, device.deviceId === "car-a" ? at(3).car : at(3).roof);
            };
          };
          const live: Context["live"] = {
            "vehicle/a": { values: { maxCapacity: CAPACITIES[2] as number } },
            "inverter/p": { values: { tilt: TILTS[2] as number } },
          };
          await site.notePreview(args(1), {});
          await site.notePreview(args(1), live);
          begin(first);
          await site.note(site.up(args(1)));
          service.set(car, at(2).car);
          service.set(roof, at(2).roof);
          begin("none");
          await site.note(site.refresh());
          await site.notePreview(args(1), live);
          begin(second);
          // A secret that is no longer declared, or with another value.
          const next = staysDeclared
            ? args(0)
            : { ...args(1), vehicles: { a: omit<unknown>(args(1).vehicles.a, ["maxCapacity"]) }, inverters: {} };
          await site.notePreview(next, {});
          await site.note(site.up(next));
          begin(third);
          // Without a folder, the lines about baselines cannot be written, and are shown.
          if (lastLedger !== undefined) environment.SOLAR_CHARGING_LEDGER_FILE = path(lastLedger);
          await site.note(site.destroy());
          expect(leaks(site.texts, secrets).join("\n")).to.equal("");
          expect(marksIn(ledger)).to.deep.equal(marksOf(secrets, ledger));
        },
      ),
      { numRuns: Number(LAW_RUNS) },
    );
  });
});
