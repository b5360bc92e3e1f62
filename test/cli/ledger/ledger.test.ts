import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { parseSince } from "../../../cli/ledger/command";
import { solarCharging } from "../../support/commandLine";
import { expectFacts } from "../../support/facts";
import { thrownBy } from "../../support/failure";
import { temporaryFolder } from "../../support/folder";
import { outputIn } from "../../support/output";
import { MAIN, shellSucceeds } from "../../support/project";
import { Terminal } from "../../support/terminal";

const UNSET = { SOLAR_CHARGING_LEDGER_FILE: undefined };

const LINE = {
  time: "2026-11-21T12:00:00.000Z",
  run: "second",
  project: "fleet",
  stack: "dev",
  urn: "urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/solar-charging:VehicleSettings::car",
  by: "https://ci.test/5",
  operation: "update",
  businessId: "acme",
  deviceId: "car",
  changes: [
    { key: "maxCapacity", old: 60_000, new: 77_000, verification: "verified" },
    { key: "policy", new: "CHARGE BY" },
  ],
  outcome: "accepted",
};

const EARLIER = {
  time: "2026-11-20T12:00:00.000Z",
  run: "first",
  by: "jane@desk",
  operation: "delete",
  businessId: "north",
  deviceId: "car",
  changes: [{ key: "policy", old: "CHARGE BY FORECAST", new: "CHARGE BY" }],
  outcome: "refused",
  status: 403,
};

const WHO = "fleet/dev car https://ci.test/5";

describe("solar-charging ledger", () => {
  const path = temporaryFolder();

  /** The output of the command, and its exit code. */
  async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { code, stdout, stderr } = await solarCharging(["ledger", ...args], { env: { ...UNSET, ...env } });
    return { code, out: stdout.trimEnd(), errors: stderr.trimEnd() };
  }

  function write(name: string, ...lines: (object | string)[]): string {
    const text = lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`));
    writeFileSync(path(name), text.join(""));
    return path(name);
  }

  it("prints a row for each setting of the device, newest last", async () => {
    const file = write("a", LINE, { ...LINE, deviceId: "van" }, EARLIER);
    const { code, out, errors } = await run(["--device", "car", "--file", file]);
    expect({ code, errors }).to.deep.equal({ code: 0, errors: "" });
    expect(out.split("\n").map((row) => row.split(/ {2,}/))).to.deep.equal([
      ["BUSINESS", "TIME", "SETTING", "OLD", "NEW", "OUTCOME", "OPERATION", "WHO"],
      [
        "north",
        "2026-11-20T12:00:00Z",
        "policy",
        "CHARGE BY FORECAST",
        "CHARGE BY",
        "refused, 403",
        "delete",
        "jane@desk",
      ],
      ["acme", "2026-11-21T12:00:00Z", "capacity", "60 kWh", "77 kWh", "accepted, verified", "update", WHO],
      ["acme", "2026-11-21T12:00:00Z", "policy", "–", "CHARGE BY", "accepted", "update", WHO],
    ]);
  });

  it("looks through several files, and gives their lines as they are with --json", async () => {
    const files = [write("a", { ...LINE, more: "of a later version" }), write("b", EARLIER)];
    const { out } = await run(["--device", "car", "--json", "--file", ...files]);
    expect(out.split("\n").map((line) => outputIn("ledger", line))).to.deep.equal([
      EARLIER,
      { ...LINE, more: "of a later version" },
    ]);
  });

  it("shows the values of secret settings only with --show-secrets", async () => {
    const [capacity, policy] = LINE.changes;
    const line = { ...LINE, changes: [{ ...capacity, secret: true }, policy] };
    const file = write("a", line);
    const outputs = async (...args: string[]) => [
      (await run(["--file", file, ...args])).out,
      (await run(["--file", file, "--json", ...args])).out,
    ];
    const [table, json = ""] = await outputs();
    expect(table).to.match(/capacity +\[secret\] +\[secret\] +accepted, verified/);
    const hidden = { key: "maxCapacity", old: "[secret]", new: "[secret]", verification: "verified", secret: true };
    expect(outputIn("ledger", json)).to.deep.equal({ ...LINE, changes: [hidden, policy] });
    const [whole, same] = await outputs("--show-secrets");
    expect(whole).to.match(/60 kWh +77 kWh/);
    expect(outputIn("ledger", same as string)).to.deep.equal(line);
  });

  it("keeps the rows whole at a narrow terminal", async () => {
    const file = write("a", { ...LINE, by: "https://ci.test/acme/fleet/actions/runs/5" });
    const terminal = new Terminal([MAIN, "ledger", "--file", file], process.env);
    expect(await terminal.code, terminal.text).to.equal(0);
    expect(terminal.text).to.match(/capacity.* 77 kWh .*runs\/5/);
  });

  it("shows the last run of all devices without --device", async () => {
    const van = { ...LINE, deviceId: "van", time: "2026-11-21T11:59:00.000Z" };
    const file = write("a", EARLIER, van, LINE);
    const { code, out } = await run(["--file", file]);
    const rows = out.split("\n").map((row) => row.split(/ {2,}/).slice(0, 3));
    expect({ code, rows }).to.deep.equal({
      code: 0,
      rows: [
        ["DEVICE", "TIME", "SETTING"],
        ["van", "2026-11-21T11:59:00Z", "capacity"],
        ["van", "2026-11-21T11:59:00Z", "policy"],
        ["car", "2026-11-21T12:00:00Z", "capacity"],
        ["car", "2026-11-21T12:00:00Z", "policy"],
      ],
    });
  });

  it("shows all runs since a time, of all devices", async () => {
    const file = write("ledger.jsonl", EARLIER, LINE);
    const runsSince = async (since: string) => {
      const { out } = await run(["--json", "--since", since, "--file", file]);
      return out.split("\n").map((line) => JSON.parse(line).run);
    };
    expect(await runsSince("2026-11-20")).to.deep.equal(["first", "second"]);
    expect(await runsSince("2026-11-21")).to.deep.equal(["second"]);
  });

  it("takes for the last run the one that began last, in whichever order the files are", async () => {
    const beside = { ...EARLIER, time: "2026-11-22T12:00:00.000Z" };
    const files = [write("new", LINE), write("old", EARLIER, { ...LINE, deviceId: "van" }, beside)];
    const runOf = async (...args: string[]) =>
      (await run(["--json", ...args])).out.split("\n").map((line) => JSON.parse(line));
    for (const order of [files, [...files].reverse()]) {
      expect((await runOf("--file", ...order)).map(({ deviceId }) => deviceId)).to.have.members(["car", "van"]);
    }
  });

  it("does not show what was only planned, with --json neither", async () => {
    const file = write("a", LINE, { ...LINE, run: "third", time: "2026-11-22T12:00:00.000Z", outcome: "planned" });
    for (const args of [[], ["--device", "car"]]) {
      expect((await run([...args, "--json", "--file", file])).out).to.equal(JSON.stringify(LINE));
    }
  });

  it("takes the file of the environment, and leaves out what is earlier", async () => {
    const env = { SOLAR_CHARGING_LEDGER_FILE: write("a", EARLIER, LINE) };
    const out = async (...args: string[]) => (await run(["--device", "car", "--json", ...args], env)).out;
    expect(await out("--since", "2026-11-21")).to.equal(JSON.stringify(LINE));
  });

  it("reports that the device has no changes, without a failure", async () => {
    const file = write("a", LINE);
    const { code, out, errors } = await run(["--device", "van", "--since", "2026-11-21", "--file", file]);
    expect({ code, out }).to.deep.equal({ code: 0, out: "" });
    expectFacts(errors, ["'van' ", " 2026-11-21T00:00:00.000Z ", file]);
  });

  it("offers the device that is probably meant, if the ledger has none of this id", async () => {
    const file = write("a", { ...LINE, deviceId: "car-17" }, { ...LINE, deviceId: "roof" });
    expect((await run(["--device", "car17", "--file", file])).errors).to.match(/; .* car-17\?$/);
    expect((await run(["--device", "roof", "--since", "2027-01-01", "--file", file])).errors).to.not.contain("?");
  });

  it("offers what is probably meant also by a business and a device", async () => {
    const file = write("a", { ...LINE, deviceId: "car-10" }, { ...LINE, deviceId: "car-10", businessId: "north" });
    const hint = async (...args: string[]) => /; .*\?$/.exec((await run(["--file", file, ...args])).errors)?.[0];
    expect(await hint("--device", "acm/car-10")).to.match(/ acme\/car-10\?$/);
    expect(await hint("--device", "acme/car-1")).to.match(/ acme\/car-10\?$/);
  });

  it("accepts business and device in the form of summaries and of resource ids", async () => {
    const odd = { ...LINE, businessId: "ünï", deviceId: "cødé 1" };
    const file = write("a", LINE, EARLIER, { ...LINE, deviceId: "a/b" }, odd);
    for (const device of ["ünï/cødé 1", "%C3%BCn%C3%AF/c%C3%B8d%C3%A9%201"]) {
      expect((await run(["--device", device, "--json", "--file", file])).out).to.equal(JSON.stringify(odd));
    }
    expect((await run(["--device", "acme/car", "--json", "--file", file])).out).to.equal(JSON.stringify(LINE));
    expect((await run(["--device", "a/b", "--json", "--file", file])).out).to.contain('"a/b"');
  });

  it("counts lines that it does not understand, and passes over empty ones", async () => {
    const file = write("a", "no JSON\n", "\n", LINE, '{"deviceId":"car"}\n');
    const { code, out, errors } = await run(["--device", "car", "--json", "--file", file]);
    expect({ code, out }).to.deep.equal({ code: 0, out: JSON.stringify(LINE) });
    expect(errors).to.match(/^2 lines /);
  });

  it("tells a last line that ends in the middle", async () => {
    const file = write("a", LINE, JSON.stringify(LINE).slice(0, 50));
    const { out, errors } = await run(["--device", "car", "--json", "--file", file]);
    expect(out).to.equal(JSON.stringify(LINE));
    expectFacts(errors, [`${file} `, " line"]);
  });

  it("names a file that is no ledger, and ends with 1", async () => {
    const file = write("a", "fleet: home\n", "sites: {}\n");
    const { code, out, errors } = await run(["--file", write("b", LINE), file]);
    expect({ code, out }).to.deep.equal({ code: 1, out: "" });
    expectFacts(errors, [`${file} `, "ledger"]);
  });

  it("keeps to a ledger whose only line ends in the middle", async () => {
    const { code } = await run(["--file", write("a", JSON.stringify(LINE).slice(0, 50))]);
    expect(code).to.equal(0);
  });

  it("names a compressed ledger, with the command that reads it", async () => {
    writeFileSync(path("old.gz"), gzipSync(JSON.stringify(LINE)));
    const { code, out, errors } = await run(["--device", "car", "--file", write("a", LINE), path("old.gz")]);
    expect({ code, out }).to.deep.equal({ code: 1, out: "" });
    const [, command = ""] = /old\.gz .*(gunzip .*)\)/.exec(errors) ?? [];
    expect(await shellSucceeds(`${command} --json --device car`)).to.equal(`${JSON.stringify(LINE)}\n`);
  });

  it("prints no control characters of a file", async () => {
    const { out } = await run(["--device", "car", "--file", write("a", { ...LINE, by: "\u001b[2J\u202e" })]);
    expect(out)
      .to.contain("fleet/dev car")
      .and.not.match(/\p{Cf}|(?!\n)\p{Cc}/u);
  });

  const mistakes: [string, string[], RegExp][] = [
    ["a device that is empty", ["--device", "", "--file", "a"], /--device /],
    ["no file", [], /ledger: .*--file, .*SOLAR_CHARGING_LEDGER_FILE/],
    ["a file that is not there", ["--device", "car", "--file", "/no/ledger"], /\/no\/ledger .*\(ENOENT\)/],
    ["a time that is none", ["--device", "car", "--since", "yesterday"], /'yesterday' is invalid.* 2026-11-21/],
  ];
  for (const [what, args, expected] of mistakes) {
    it(`names ${what}, and ends with 1`, async () => {
      const { code, out, errors } = await run(args);
      expect({ code, out }).to.deep.equal({ code: 1, out: "" });
      expect(errors).to.match(expected);
    });
  }
});

describe("parseSince", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const times: [string, string][] = [
    ["90m", "2026-11-21T10:30:00.000Z"],
    ["12h", "2026-11-21T00:00:00.000Z"],
    ["7d", "2026-11-14T12:00:00.000Z"],
    ["2w", "2026-11-07T12:00:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T10:00", "2026-11-01T10:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2026-11-01T10:00+02:00", "2026-11-01T08:00:00.000Z"],
  ];
  for (const [text, expected] of times) {
    it(`takes ${text}`, () => expect(parseSince(text, now).toISOString()).to.equal(expected));
  }
  for (const text of ["", "7", "7y", "-7d", "12", "2026-13-01", "2026-02-30", "2027-02-29T10:00Z", "soon"]) {
    it(`refuses '${text}'`, () => expect(thrownBy(() => parseSince(text, now)).message).to.contain("2026-11-21T"));
  }
});
