import { join } from "node:path";
import { expect } from "chai";
import { EACH_DOOR, givenProject } from "../support/project";

/** Each secret setting: declared, before our first update, and in the app. No other number here looks like one of them. */
const CAPACITY = [73_291, 58_219, 61_927] as const;
const POWER = [11_437, 7_349, 6_793] as const;
const TILT = [33.3, 11.9, 27.7] as const;
const LATITUDE = 51.2371;

/** Not a secret: finding it shows that the search covers what a command prints. */
const PEAK = 9_127;

/** The forms in which a text can contain a number: `73291`, `73,291`, `73.291`, `73.3`. */
function formsOf(value: number): string[] {
  const kilo = value / 1000;
  const ofKilo = value < 1000 ? [] : [String(kilo), String(kilo).replace(".", ","), kilo.toFixed(1)];
  return [String(value), value.toLocaleString("en"), ...ofKilo];
}

/** The values that a text contains, without what is encrypted in it. */
function valuesIn(text: string, values: readonly number[]): number[] {
  const readable = text.replace(/"ciphertext": *"[^"]*"/g, "");
  const isIn = (form: string) => new RegExp(`(?<![\\w.,])${form.replaceAll(".", "\\.")}(?!\\d|[.,]\\d)`).test(readable);
  return values.filter((value) => formsOf(value).some(isIn));
}

const program = (tilt: number) => `
  const { secret } = require("@pulumi/pulumi");
  new SiteSettings("home", {
    onDelete: "restore", latitude: secret(${LATITUDE}),
    vehicles: {
      car: { deviceId: "car", maxCapacity: secret(${CAPACITY[0]}), maxChargePower: secret(${POWER[0]}) },
      van: secret({ deviceId: "van", maxCapacity: ${CAPACITY[0]} }),
    },
    inverters: {
      roof: { deviceId: "roof", peakPower: ${PEAK}, azimuth: 10, tilt: secret(${tilt}), cutInThreshold: 150, baseLoad: 400 },
    },
  });
  new VehicleSettings("bus", { deviceId: secret("bus"), maxCapacity: secret(${CAPACITY[0]}), onDelete: "restore" });`;

/** The settings of the devices. The program declares each of them as a secret. */
const settingsAt = (index: 1 | 2) => ({
  car: { max_capacity: CAPACITY[index], max_charge_power: POWER[index] },
  van: { max_capacity: CAPACITY[index] },
  bus: { max_capacity: CAPACITY[index] },
  roof: { tilt: TILT[index] },
});

for (const door of EACH_DOOR) {
  describe(`engine: secret settings, ${door}`, () => {
    const { roof, ...cars } = settingsAt(1);
    const acme = {
      ...Object.fromEntries(Object.entries(cars).map(([id, settings]) => [id, { type: "vehicle" as const, settings }])),
      roof: { type: "inverter" as const, settings: roof },
    };
    const given = givenProject({ businesses: { acme } }, "for all");

    it("are in no output of pulumi, review, status and report: new, refused, drifted, changed and deleted", async () => {
      const { project, simulator } = given;
      project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
      const shown = new Map<string, string>();
      const pulumi = async (...args: string[]) => {
        const { text, stdout } = await project.pulumi(args);
        shown.set(`${shown.size} ${args.join(" ")}`, text);
        return stdout;
      };
      const command = async (...args: string[]) => {
        const { stdout, stderr } = await project.solarCharging(...args);
        shown.set(`${shown.size} ${args.join(" ")}`, stdout + stderr);
      };
      const CHANGE = ["--yes", "--skip-preview"];
      const look = async () => {
        project.write("preview.json", await pulumi("preview", "--json", "--refresh"));
        for (const form of [[], ["--json"], ["--markdown"]]) await command("review", ...form, "preview.json");
        await command("sun", "--preview", "preview.json");
        // The page has the data of --json, packed.
        for (const form of [["--devices"], ["--json"], ["--prometheus"]]) await command("status", ...form);
        for (const args of [["export"], ["output", "--json"], ["history", "--json"]]) await pulumi("stack", ...args);
      };

      project.program(program(TILT[0]), door);
      await pulumi("preview", "--diff");
      const quotes = [...CAPACITY, ...POWER, ...TILT].map((value) => `${value} (${formsOf(value).at(-1)})`).join(", ");
      simulator.fail({ method: "PATCH", times: 4, status: 400, body: `out of range: ${quotes}` });
      await pulumi("up", ...CHANGE);
      await pulumi("up", ...CHANGE, "--diff");
      await look();

      // Before, the runs show baselines. From now on, the ledger has them.
      project.env.SOLAR_CHARGING_LEDGER_FILE = join(project.folder, "ledger.jsonl");
      for (const [id, settings] of Object.entries(settingsAt(2))) simulator.appUserSets("acme", id, settings);
      project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
      project.program(program(TILT[0] + 1), door);
      await pulumi("preview", "--json");
      await look();
      delete project.env.SOLAR_CHARGING_LIVE_PREVIEW;
      await pulumi("refresh", ...CHANGE, "--diff");
      project.program(program(TILT[0] + 1).replace(/maxChargePower: secret\(\d+\)/, ""), door);
      await pulumi("up", ...CHANGE);
      await look();
      await pulumi("destroy", ...CHANGE);
      for (const form of [[], ["--json"]]) await command("ledger", "--since", "1d", ...form);

      const secrets = [...CAPACITY, ...POWER, ...TILT, TILT[0] + 1, LATITUDE];
      const leaks = [...shown].flatMap(([place, text]) => valuesIn(text, secrets).map((value) => `${value}: ${place}`));
      expect(leaks).to.deep.equal([]);
      const places = [...shown].flatMap(([place, text]) => (valuesIn(text, [PEAK]).length > 0 ? [place] : []));
      for (const place of [/preview --json/, /review --json/, /status --json/, /stack export/])
        expect(places.join("\n")).to.match(place);
      const ledger = [...shown.values()].slice(-2);
      for (const text of ledger) expect(text).to.contain("[secret]");
      expect(simulator.latestReads).to.equal(0);
    });
  });
}
