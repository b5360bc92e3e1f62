import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { givenProject, ROOT, takeRequests } from "../support/project";

describe("engine: pulumi watch", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("sends the changes at each save, survives a mistake, and leaves baselines that a destroy restores", async () => {
    const { project, simulator } = given;
    const before = simulator.device("acme", "car");
    const example = readFileSync(join(ROOT, "examples", "languages", "yaml", "Pulumi.yaml"), "utf8");
    const program = example.replace("solar-home-yaml", "test");
    project.findPlugin();
    project.write("Pulumi.yaml", program);

    // The engine starts a program of this name, which prints the path of each saved file. This one prints only when the
    // test asks.
    const saves = join(project.folder, "saves");
    execFileSync("mkfifo", [saves]);
    project.write("pulumi-watch", `#!/bin/sh\nexec cat ${saves}\n`);
    chmodSync(join(project.folder, "pulumi-watch"), 0o755);
    const env = { ...project.env, PATH: [project.folder, project.env.PATH].join(delimiter) };
    const pipe = openSync(saves, "r+");
    const watch = spawn("pulumi", ["watch", "--non-interactive"], { cwd: project.folder, env });
    const ended = once(watch, "exit");
    let shown = "";
    watch.stdout.on("data", (chunk) => {
      shown += chunk;
    });
    const outcome = /Update (complete|failed); changes made: .*\n/;
    const save = async (text: string): Promise<string> => {
      project.write("Pulumi.yaml", text);
      writeSync(pipe, "Pulumi.yaml\n");
      while (!outcome.test(shown)) await once(watch.stdout, "data");
      const [line = ""] = outcome.exec(shown) ?? [];
      shown = "";
      return line.trim();
    };

    expect(await save(program)).to.equal("Update complete; changes made: 2 create.");
    expect(simulator.device("acme", "car")).to.include({ max_charge_power: 11_000 });
    takeRequests(simulator);
    expect(await save(program.replace("11 kW", "7.4 kW"))).to.equal("Update complete; changes made: 1 update.");
    expect(takeRequests(simulator)).to.deep.equal(['PATCH car {"max_charge_power":7400}', "GET car"]);
    expect(await save(program.replace("11 kW", "74 W"))).to.equal("Update failed; changes made: None.");
    expect(await save(program.replace("11 kW", "7.4 kW"))).to.equal("Update complete; changes made: None.");
    expect(takeRequests(simulator)).to.deep.equal([]);

    // A SIGINT between two updates would wait for the next save.
    watch.kill("SIGKILL");
    closeSync(pipe);
    await ended;
    await project.destroy();
    expect(simulator.device("acme", "car")).to.include(before);
  });
});
