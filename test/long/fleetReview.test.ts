import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FleetProject } from "../support/fleetProject";
import { outputOf, ROOT } from "../support/project";
import { type Reply, servers } from "../support/server";

/** Two stacks: `oslo` and `vienna`, and `paris` and `rome`. */
const SITES = ["oslo", "paris", "rome", "vienna"];

function manifest(capacities: Readonly<Record<string, string>> = {}): string {
  return [
    "fleet: acme",
    "shards: 2",
    "defaults: { vehicle: { maxCapacity: 77 kWh, maxChargePower: 11 kW, ignoreLints: [ignored-metadata] } }",
    "sites:",
    ...SITES.map((id) => {
      const capacity = capacities[id] === undefined ? "" : `, maxCapacity: ${capacities[id]}`;
      return `  ${id}: { vehicles: { car: { deviceId: car-${id}${capacity} } } }`;
    }),
  ].join("\n");
}

const json = (body: unknown): Reply => ({ body: JSON.stringify(body) });

describe("engine: the review of a fleet that two machines preview", () => {
  let project: FleetProject;
  const github = servers();
  before(async () => {
    project = await FleetProject.create(SITES.map((id) => `car-${id}`));
  });
  after(() => project.close());

  const path = (file: string) => join(project.folder, file);

  /** The preview of one machine's job. */
  async function previewed(part: number): Promise<string> {
    const { text, code, stdout } = await project.summary("preview", "--shard", `${part}/2`);
    expect(code, text).to.equal(2); // Exit code 2 means changes.
    const file = path(`part-${part}.json`);
    writeFileSync(file, stdout);
    return file;
  }

  it("is one comment, which the next review of the fleet updates", async () => {
    project.declare(manifest());
    const applied = await project.summary("up", "--yes", "--share", "100%");
    expect(applied, applied.text).to.include({ code: 0, added: 4 });
    project.simulator.requests.splice(0);
    project.declare(manifest({ oslo: "70 kWh", rome: "64 kWh" }));
    const parts = [await previewed(1), await previewed(2)];
    expect(project.simulator.requests).to.deep.equal([]);

    const earlier = {
      id: 42,
      user: { login: "github-actions[bot]", type: "Bot" },
      body: "<!-- solar-charging review of acme -->\nold",
    };
    const { url, received } = await github(json([]), json({}), json([earlier]), json({}));
    writeFileSync(path("event.json"), JSON.stringify({ pull_request: { number: 5 } }));
    const env = {
      ...project.env,
      GITLAB_CI: "",
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/fleet",
      GITHUB_TOKEN: "forge-token",
      GITHUB_EVENT_PATH: path("event.json"),
    };
    const args = [join(ROOT, "dist", "cli", "main.js"), "review", "--post", "comment", ...parts];
    for (const _ of ["first", "next"]) {
      const { code, text } = await outputOf(spawn(process.execPath, args, { env }));
      expect(code, text).to.equal(0);
    }

    const comments = "/repos/acme/fleet/issues/5/comments";
    expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      `GET ${comments}?per_page=100`,
      `POST ${comments}`,
      `GET ${comments}?per_page=100`,
      "PATCH /repos/acme/fleet/issues/comments/42",
    ]);
    const [, created, , updated] = received.map(({ body }) => body && JSON.parse(body).body);
    expect(updated).to.equal(created);
    expect(created).to.match(/^<!-- solar-charging review of acme -->\n### ✅ 2 devices change · 2 unchanged\n/);
    expect(created).to.match(/^\| `oslo` \|.* `car`: maxCapacity 77 → 70 kWh \|$/m);
    expect(created).to.match(/^\| `rome` \|.* `car`: maxCapacity 77 → 64 kWh \|$/m);
  });
});
