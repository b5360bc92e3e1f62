import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { expect } from "chai";
import { solarCharging } from "../../support/commandLine";
import { expectFacts, like } from "../../support/facts";
import { outputOf } from "../../support/project";
import { givenFakeEngine } from "./fakeEngine";

describe("cli fleet: the driver, on an engine that does nothing", () => {
  const given = givenFakeEngine();
  const { run } = given;
  const WHOLE = ["up shard-2-of-2", "up shard-1-of-2"];

  it("refuses a broken manifest before anything is written: all that is wrong, with line and column", async () => {
    const broken = `fleet: acme
sites:
  a: { vehicles: { one: { deviceId: a, maxCapacity: 77 kX } } }
  b: { vehicles: { one: { deviceId: a, maxCapacity: 77 kWh } } }
`;
    writeFileSync(given.path("fleet.yaml"), broken);
    const { code, text } = await run("up", "--yes");
    expect(code).to.equal(1);
    const places = text
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(given.path("fleet.yaml"), "F").split(": ", 2));
    expect(places).to.deep.equal([
      ["F:3:53", "sites.a.vehicles.one.maxCapacity"],
      ["F:4:20", "sites.b.vehicles.one"],
    ]);
    expect(given.log()).to.deep.equal([]);
    expect(existsSync(given.path(".solar-charging"))).to.equal(false);
  });

  it("reports a missing manifest", async () => {
    rmSync(given.path("fleet.yaml"));
    const { code, text } = await run("preview");
    expect(code).to.equal(1);
    expect(text).to.match(like(`${given.path("fleet.yaml")}: … file: …solar-charging adopt…\n`));
  });

  it("reports a missing engine, or the engine's error", async () => {
    writeFileSync(given.path("pulumi"), '#!/bin/sh\necho "error: no login" >&2; exit 3\n');
    expect(await run("preview")).to.include({ code: 1, text: "no login\n" });
    rmSync(given.path("pulumi"));
    const { code, text } = await run("preview");
    expect(code).to.equal(1);
    expect(text).to.contain("https://www.pulumi.com/docs/install");
  });

  it("ends at a canary that does not exist", async () => {
    const { code, text } = await run("up", "--canary", "rome");
    expect(code).to.equal(1);
    expect(text).to.match(/^--canary rome: .*site.*\n$/);
  });

  for (const [title, words, near] of [
    ["a site", ["drift", "--accept", "--site", "pariss"], "paris?"],
    ["a setting", ["drift", "--accept", "--setting", "capacity"], "--setting capacity"],
    ["a command between waves", ["up", "--gate", "./missing.sh"], "./missing.sh"],
  ] as const) {
    it(`refuses ${title} that does not exist, before it asks the engine`, async () => {
      const [operation, ...more] = words;
      const { code, text } = await run(operation, ...more);
      expect(code).to.equal(1);
      expect(text).to.contain(near);
      expect(given.log()).to.deep.equal([]);
    });
  }

  describe("of a fleet whose state is lost", () => {
    const LOST = "SOLAR_CHARGING_LEDGER_FILE";
    const ledger = () => ({ [LOST]: given.path("ledger.jsonl") });

    it("warns before it takes the present values as baselines, but not with a ledger, which has the earlier ones", async () => {
      expect((await run("up", "--yes")).stderr).not.to.contain(LOST);
      rmSync(given.path("stacks"));
      const { code, stderr } = await run("preview");
      expect(code).to.equal(0);
      expectFacts(stderr, [LOST, "shard-1-of-2", "shard-2-of-2"]);
      rmSync(given.path("stacks"));
      expect((await run(ledger(), "preview")).stderr).not.to.contain(LOST);
      rmSync(given.path("stacks"));
      expect((await run("up", "--yes")).stderr).to.contain(LOST);
    });

    it("does not warn after a first run that failed: nothing was ours", async () => {
      writeFileSync(given.path("silent"), "");
      expect((await run("up", "--yes")).code).to.equal(1);
      rmSync(given.path("stacks"));
      expect((await run("preview")).stderr).not.to.contain(LOST);
    });

    it("does not warn of stacks that a destroy has removed", async () => {
      await run("up", "--yes");
      writeFileSync(given.path("silent"), "");
      expect((await run("destroy", "--yes")).code).to.equal(0);
      rmSync(given.path("stacks"));
      expect((await run("preview")).stderr).not.to.contain(LOST);
    });
  });

  it("refuses a choice of what to accept without --accept", async () => {
    const { code, text } = await run("drift", "--site", "paris");
    expect(code).to.equal(1);
    expect(text).to.contain("--accept");
    expect(given.log()).to.deep.equal([]);
  });

  it("takes a gate that is a line for the shell, or a command of it", async () => {
    writeFileSync(given.path("healthy.sh"), "#!/bin/sh\n", { mode: 0o755 });
    for (const gate of ["true", "[ 1 = 1 ]", "A=1 true", `${given.path("healthy.sh")} now`]) {
      expect((await run("up", "--restart", "--gate", gate)).code).to.equal(0);
    }
  });

  it("refuses an approved set that is set and empty", async () => {
    const { code, text } = await run({ SOLAR_CHARGING_APPROVED: "" }, "up", "--yes");
    expect(code).to.equal(1);
    expect(text).to.contain("SOLAR_CHARGING_APPROVED");
    expect(given.log()).to.deep.equal([]);
  });

  it("shows the near name if no site or device of a status is chosen, and writes over no other file", async () => {
    const manifest = ["--manifest", given.path("fleet.yaml"), "--offline"];
    const status = (...args: string[]) => solarCharging(["status", ...manifest, ...args], { env: given.env });
    const { code, stderr } = await status("--filter", "pariss");
    expect(code).to.equal(1);
    expect(stderr).to.contain("paris?");
    const before = readFileSync(given.path("fleet.yaml"), "utf8");
    const over = await status("--output", given.path("fleet.yaml"));
    expect(over.code).to.equal(1);
    expect(over.stderr).to.contain(given.path("fleet.yaml"));
    expect(readFileSync(given.path("fleet.yaml"), "utf8")).to.equal(before);
    for (const form of [[], [], ["--json"], ["--json"], ["--prometheus"], ["--prometheus"]]) {
      const file = given.path(`status${form.join()}`);
      expect((await status(...form, "--output", file)).code, form.join()).to.not.equal(1);
    }
  });

  it("begins nothing if the record cannot be written, and does all of it once it can", async () => {
    mkdirSync(given.path(".solar-charging/acme/record.json"), { recursive: true });
    const { code, text } = await run("up");
    expect(code).to.equal(1);
    expect(text).to.match(/^❌ [^:]*rollout[^:]*: EISDIR/m);
    expect(text).to.match(/^❌ .*3 devices not done/m);
    expect(given.log()).to.deep.equal([]);
    rmSync(given.path(".solar-charging/acme/record.json"), { recursive: true });
    expect((await run("up")).code).to.equal(0);
    expect(given.log()).to.deep.equal(WHOLE);
  });

  it("refuses a stack's file that sends the token elsewhere, and begins nothing", async () => {
    mkdirSync(given.path(".solar-charging/acme/shard-1-of-2"), { recursive: true });
    const file = given.path(".solar-charging/acme/shard-1-of-2/Pulumi.shard-1-of-2.yaml");
    writeFileSync(file, "config: { solar-charging:baseUrl: https://evil.example }");
    for (const operation of ["preview", "up", "refresh"]) {
      const { code, text } = await run(operation);
      expect(code).to.equal(1);
      expectFacts(text, ["config ", `${file} `, "SOLAR_CHARGING_*"]);
    }
    expect(given.log()).to.deep.equal([]);
  });

  it("writes nothing through a link of a checkout", async () => {
    mkdirSync(given.path("elsewhere"));
    symlinkSync(given.path("elsewhere"), given.path(".solar-charging"));
    const { code, text } = await run("preview");
    expect(code).to.equal(1);
    expect(text).to.contain("symbolic link");
    expect(readdirSync(given.path("elsewhere"))).to.deep.equal([]);
  });

  it("reports that it cannot write its project", async () => {
    writeFileSync(given.path(".solar-charging"), "");
    const { code, text } = await run("up");
    expect(code).to.equal(1);
    expect(text).to.match(/^[^:]*project[^:]*: EEXIST/);
  });

  it("stops with 3 if the gate's command fails, and continues if it succeeds", async () => {
    const refused = await run("up", "--gate", "test $SOLAR_CHARGING_NEXT_DEVICES != 2");
    expect(refused.code, refused.text).to.equal(3);
    expect(refused.text).to.match(/^❌ .*gate.* canary\. /m);
    expect((await run("up", "--gate", "true")).code).to.equal(0);
    expect(given.log()).to.deep.equal(WHOLE);
  });

  it("begins with the canary again if a stack of the rollout was updated meanwhile", async () => {
    expect((await run("up", "--gate", "false")).code).to.equal(3);
    appendFileSync(given.path("log"), "up shard-2-of-2\n");
    expect((await run("up")).code).to.equal(0);
    expect(given.log()).to.deep.equal(["up shard-2-of-2", "up shard-2-of-2", ...WHOLE]);
  });

  it("keeps the provider's journals of baselines until a run is complete", async () => {
    const journal = given.path(".solar-charging/acme/baselines.jsonl");
    writeFileSync(given.path("silent"), "");
    expect((await run("up")).code).to.equal(1);
    expect(existsSync(journal)).to.equal(true);
    rmSync(given.path("silent"));
    expect((await run("preview")).code).to.equal(0);
    expect(existsSync(journal)).to.equal(true);
    expect((await run("up")).code).to.equal(0);
    expect(existsSync(journal)).to.equal(false);
  });

  it("settles the baselines that a state has, even if another stack of the run fails", async () => {
    writeFileSync(given.path("events shard-1-of-2"), "");
    expect((await run("up")).code).to.equal(1);
    expect(given.log()).to.deep.equal(WHOLE);
    expect((await run("up")).text).not.to.contain("baselines");
  });

  it("reports a killed engine, and how to unlock the stack", async () => {
    writeFileSync(given.path("dies"), "");
    const { code, text } = await run("up");
    expect(code).to.equal(1);
    expect(text).to.match(
      /^❌ shard-2-of-2: .*SIGKILL.*: pulumi cancel --yes --stack shard-2-of-2 --cwd \S+\/.solar-charging\/acme;/m,
    );
    expect(text).not.to.contain("code: -2");
  });

  it("does not read before it applies after an engine was killed: else that run's values would count as somebody else's", async () => {
    writeFileSync(given.path("dies"), "");
    await run("up");
    rmSync(given.path("dies"));
    expect((await run("up")).code).to.equal(0);
    expect(given.log()).to.deep.equal(["up shard-2-of-2", "up shard-2-of-2", ...WHOLE]);
    expect((await run("up")).code).to.equal(0);
    expect(given.log().slice(2 + WHOLE.length)).to.have.members(WHOLE);
  });

  it("does not read before it has applied, also if a run between met the lock of the one that was killed", async () => {
    writeFileSync(given.path("dies"), "");
    await run("up");
    rmSync(given.path("dies"));
    writeFileSync(given.path("held"), "");
    expect((await run("up")).code).to.equal(1);
    rmSync(given.path("held"));
    const before = given.log().length;
    expect((await run("up")).code).to.equal(0);
    expect(given.log().slice(before)).to.deep.equal(["up shard-2-of-2", ...WHOLE]);
  });

  it("leaves the program of a stack as the last up applied it, whatever else is run with another manifest", async () => {
    const program = () => readFileSync(given.path(".solar-charging/acme/shard-2-of-2/Main.yaml"), "utf8");
    await run("preview");
    expect(existsSync(given.path(".solar-charging/acme/shard-2-of-2"))).to.equal(false);
    await run("up");
    const applied = program();
    const merged = readFileSync(given.path("fleet.yaml"), "utf8");
    writeFileSync(given.path("fleet.yaml"), merged.replaceAll("77 kWh", "58 kWh"));
    for (const operation of ["preview", "drift", "refresh"]) await run(operation);
    expect(program()).to.equal(applied);
    await run("up");
    expect(program()).to.equal(applied.replaceAll("77000", "58000"));
  });

  it("begins no stack that has resources of another program, because the engine would delete them", async () => {
    const type = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";
    const urn = `urn:pulumi:shard-1-of-2::acme::solar-charging:index:FleetSettings$${type}::bergen`;
    const exported = { deployment: { resources: [{ urn, type }] } };
    writeFileSync(given.path("exported"), JSON.stringify(exported));
    writeFileSync(given.path("stacks"), "shard-1-of-2 ");
    for (const operation of ["preview", "up", "drift", "destroy"]) {
      const { code, text } = await run(operation, ...(operation === "destroy" ? ["--yes"] : []));
      expect(code, operation).to.equal(1);
      expectFacts(text, ["bergen ", "another program"]);
    }
    expect(given.log().filter((line) => line.endsWith(" shard-1-of-2"))).to.deep.equal([]);
  });

  it("runs the stacks of its part alone", async () => {
    expect((await run("up", "--shard", "1/2")).code).to.equal(0);
    expect(given.log()).to.deep.equal(["up shard-1-of-2"]);
    expect((await run("drift")).text).to.match(/^⚠️ .*not applied yet/m);
    expect((await run("preview")).text).not.to.contain("not applied yet");
  });

  it("fails if nothing is known of devices, and runs them again", async () => {
    writeFileSync(given.path("silent"), "");
    const { code, text } = await run("up");
    expect(code).to.equal(1);
    expect(text).to.match(/^❌ .*3 devices not done/m);
    rmSync(given.path("silent"));
    expect((await run("up")).code).to.equal(0);
    expect(given.log()).to.deep.equal([...WHOLE, ...WHOLE]);
  });

  it("prints the result on standard output, and everything else elsewhere", async () => {
    for (const [args, pattern] of [
      [[], /^✅ 3 unchanged\n(?:.*\n)*calls to /],
      [["--json"], /^\{\n {2}"subjects": \[\n {4}"acme"/],
    ] as const) {
      expect((await run("up", "--restart", ...args)).stdout).to.match(pattern);
    }
  });

  it("fails if its output cannot be printed", async function () {
    if (!existsSync("/dev/full")) this.skip(); // Only Linux has /dev/full.
    const shell = `"$@" > /dev/full`;
    const args = ["-c", shell, "sh", process.execPath, ...given.args("preview", "--json")];
    const { code, text } = await outputOf(spawn("sh", args, { env: given.env }));
    expect(code, text).to.equal(1);
    expect(text).to.match(/^[^:]*output[^:]*: ENOSPC/m);
  });

  it("ends a gate with itself", async () => {
    const child = given.start("up", "--gate", "echo asked; exec sleep 100");
    const asked = new Promise<void>((resolve) => {
      child.stderr?.on("data", (data) => String(data).includes("asked") && resolve());
    });
    const end = outputOf(child);
    await asked;
    child.kill("SIGTERM");
    expect((await end).code).to.equal(130);
    expect(given.log()).to.deep.equal(["up shard-2-of-2"]);
  });

  it("gives the gate the counts of the wave and of the next one", async () => {
    const counts = ["WAVE_OK", "WAVE_FAILED", "WAVE_NOT_DONE", "NEXT_SITES", "NEXT_DEVICES"];
    const told = counts.map((name) => `$SOLAR_CHARGING_${name}`).join(" ");
    await run("up", "--gate", `echo ${told} > '${given.path("told")}'`);
    expect(readFileSync(given.path("told"), "utf8")).to.equal("1 0 0 1 2\n");
  });

  it("does not destroy a fleet unless the user confirms", async () => {
    const { code, text } = await run("destroy");
    expect(code).to.equal(1);
    expect(text).to.match(/^destroy .*--yes/);
  });

  describe("that is interrupted", () => {
    beforeEach(() => writeFileSync(given.path("slow"), ""));

    // A pipeline signals the driver alone; a terminal and `timeout` signal the whole group.
    for (const [signal, of] of [
      ["SIGTERM", "driver"],
      ["SIGINT", "group"],
      ["SIGHUP", "group"],
    ] as const) {
      it(`by ${signal} to the ${of} tells its engine once to save`, async () => {
        const child = given.start("up");
        const end = outputOf(child);
        await given.logged(1);
        process.kill((of === "group" ? -1 : 1) * (child.pid as number), signal);
        const { code, text } = await end;
        expect(code, text).to.equal(130);
        expect(text).to.match(/^Interrupted.*Ctrl-C/m);
        // A stop is no failure, and nothing comes next.
        expect(text).not.to.match(/failed:|Next:|canceled/m);
        expect(text.trimEnd().split("\n").at(-1)).to.match(/^interrupted: /);
        expect(given.log()).to.deep.equal(["up shard-2-of-2", "told"]);
      });
    }

    it("by a terminal that is closed, which tells it twice, lets its engine save", async () => {
      writeFileSync(given.path("stubborn"), "");
      const child = given.start("up");
      const end = outputOf(child);
      await given.logged(1);
      child.kill("SIGHUP");
      await given.logged(2);
      child.kill("SIGHUP");
      rmSync(given.path("slow"));
      expect((await end).code).to.equal(130);
      expect(given.log()).to.deep.equal(["up shard-2-of-2", "told"]);
    });

    it("twice ends at once", async () => {
      writeFileSync(given.path("stubborn"), "");
      const child = given.start("up");
      const end = outputOf(child);
      await given.logged(1);
      child.kill("SIGINT");
      await given.logged(2);
      child.kill("SIGINT");
      expect((await end).code).to.equal(130);
      rmSync(given.path("slow"));
    });
  });
});
