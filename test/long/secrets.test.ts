import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { expect } from "chai";
import { BUSINESS, type Exchange, FaultyService } from "../protocol/faults/service";
import { ACCESS_TOKEN, CLIENT_SECRET, SECRETS, searchFor } from "../support/canaries";
import { echoesOf, secretOf } from "../support/echo";
import { killTree } from "../support/processes";
import { outputOf, Project } from "../support/project";

/** Not a secret: finding it shows that the search covers the places with data of a request. */
const DEVICE = "car5Xk39Dk2LmQ84TzBn57";

/** The places where it is found. */
const PLACES = [
  /preview --json$/m,
  /up, killed$/m,
  /stack export/,
  /grpc\.json/,
  /tracing-\d/,
  /otel-\d/,
  /events-\d/,
  /\.log\.INFO\./,
  /ledger\.jsonl/,
  /backups/,
  /history/,
];

/** Answers with the request's credentials in status text, headers and body, in the usual forms. */
function echoes(status: number) {
  return ({ request, response }: Pick<Exchange, "request" | "response">) => {
    const { authorization = "" } = request.headers;
    const token = encodeURIComponent(secretOf(authorization));
    const echo = { location: `/?token=${token}`, "x-echo": authorization };
    response.writeHead(status, `No ${authorization}`, echo).end(echoesOf(authorization).join("\n"));
  };
}

const GRANT = JSON.stringify({ access_token: ACCESS_TOKEN, token_type: "Bearer", expires_in: 3600 });

/** The destination of the engine's most detailed log. */
type Log = "stderr" | "files" | "none";

const programFor = (maxCapacity: number) => `
const { getDevice, VehicleSettings } = require("pulumi-solar-charging");
new VehicleSettings("it", { deviceId: "${DEVICE}", maxCapacity: ${maxCapacity}, onDelete: "restore" });
getDevice({ deviceId: "${DEVICE}" }).then(console.log, console.error);
`;

describe("The search for secrets", () => {
  const TOKEN = ACCESS_TOKEN;
  const json = JSON.stringify(TOKEN);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const forms: Record<string, string> = {
    "as it is": TOKEN,
    "in JSON": json,
    "in JSON in JSON": JSON.stringify(json),
    "in a URL": encodeURIComponent(TOKEN),
    "in HTML": TOKEN.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    "in hex": Buffer.from(TOKEN).toString("hex"),
    "cut at its end": TOKEN.slice(0, 30),
    "cut at its beginning": TOKEN.slice(22),
    "in base64, cut": base64(TOKEN).slice(20, 40),
    "in base64": base64(TOKEN),
    "in base64, with one byte before it": base64(`:${TOKEN}`),
    "in base64, with two bytes before it": base64(`u:${TOKEN}`),
    "in base64 for URLs": Buffer.from(`${TOKEN}~~`).toString("base64url"),
  };

  for (const [form, text] of Object.entries(forms)) {
    it(`finds one ${form}`, () => {
      const { found } = searchFor(SECRETS, [["a place", Buffer.from(`x${text}y`)]]);
      expect(found.join()).to.match(/^access token.*: a place$/);
    });
  }
});

describe("engine: a secret of the environment", () => {
  let service: FaultyService;
  const tokens = createServer((request, response) => {
    if (areTokensRefused) echoes(401)({ request, response });
    else response.writeHead(200, { "content-type": "application/json" }).end(GRANT);
  });
  let areTokensRefused = true;
  let project: Project;
  const printed: [command: string, output: Buffer][] = [];

  before(async () => {
    service = await FaultyService.start();
    service.simulator.add(BUSINESS, DEVICE, { type: "vehicle", settings: { max_capacity: 60_000 } });
    project = await Project.create(service.simulator);
    await once(tokens.listen(0, "127.0.0.1"), "listening");
    delete project.env.SOLAR_CHARGING_ACCESS_TOKEN;
    mkdirSync(join(project.folder, "tmp"));
    Object.assign(project.env, {
      SOLAR_CHARGING_BASE_URL: service.url,
      SOLAR_CHARGING_OAUTH_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      SOLAR_CHARGING_OAUTH_CLIENT_ID: "pipeline",
      SOLAR_CHARGING_OAUTH_CLIENT_SECRET: CLIENT_SECRET,
      SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "2",
      SOLAR_CHARGING_LIVE_PREVIEW: "true",
      SOLAR_CHARGING_LEDGER_FILE: "ledger.jsonl",
      PULUMI_DEBUG_GRPC: join(project.folder, "grpc.json"),
      PULUMI_DEBUG_COMMANDS: "true", // Permits --event-log.
      TMPDIR: join(project.folder, "tmp"), // Without --logtostderr, -v9 writes to this folder.
    });
  });
  after(async () => {
    await service?.stop();
    tokens.close();
    tokens.closeAllConnections();
    project?.remove();
  });

  /** Runs `pulumi` with the most detailed log, on standard error or in files. */
  async function run(outcome: "succeeds" | "fails", log: Log, ...args: string[]): Promise<void> {
    printed.push([args.join(" "), Buffer.from(await project[outcome](...args, ...everything(log)))]);
  }

  function everything(log: Log): string[] {
    if (log === "none") return [];
    const file = (kind: string) => join(project.folder, `${kind}-${printed.length}.log`);
    return [
      "-v9",
      "--logflow",
      ...(log === "stderr" ? ["--logtostderr"] : []),
      ...["--tracing", `file:${file("tracing")}`],
      ...["--otel-traces", `file://${file("otel")}`],
      ...["--event-log", file("events")],
    ];
  }

  const CHANGE = ["--yes", "--skip-preview"];

  async function previewsAndApplies(): Promise<void> {
    project.write("index.js", programFor(77_000));
    await run("fails", "stderr", "up", ...CHANGE);
    areTokensRefused = false;
    service.begin("GET", echoes(403));
    await run("succeeds", "stderr", "preview", "--json");
    await run("fails", "stderr", "up", ...CHANGE);
    service.begin("PATCH", echoes(503));
    await run("fails", "files", "up", ...CHANGE, "--json");
    service.end();
    await run("succeeds", "stderr", "up", ...CHANGE);
    expect(service.device(DEVICE)).to.include({ max_capacity: 77_000 });
  }

  async function isKilledInAnUpdate(): Promise<void> {
    project.write("index.js", programFor(78_000));
    const arrived = new Promise<void>((resolve) => service.begin("PATCH", () => resolve()));
    const args = ["up", ...CHANGE, "--non-interactive", ...everything("stderr")];
    const child = spawn("pulumi", args, { cwd: project.folder, env: project.env });
    const ended = outputOf(child);
    await arrived;
    killTree(child.pid as number);
    printed.push(["up, killed", Buffer.from((await ended).text)]);
    service.end();
    await run("succeeds", "none", "cancel", "--yes");
    await run("succeeds", "files", "up", ...CHANGE);
    expect(service.device(DEVICE)).to.include({ max_capacity: 78_000 });
  }

  async function refreshesAndDestroys(): Promise<void> {
    service.begin("every", echoes(401));
    await run("fails", "stderr", "refresh", ...CHANGE);
    service.end();
    await run("succeeds", "stderr", "refresh", ...CHANGE, "--json");
    await run("succeeds", "none", "stack", "export", "--show-secrets");
    await run("succeeds", "none", "stack", "history", "--json", "--show-secrets");
    service.begin("PATCH", echoes(500));
    await run("fails", "stderr", "destroy", ...CHANGE);
    service.end();
    await run("succeeds", "files", "destroy", ...CHANGE, "--json");
    expect(service.device(DEVICE)).to.include({ max_capacity: 60_000 });
  }

  it("stands in no output and no file of preview, up, a crash, refresh and destroy", async function () {
    await previewsAndApplies();
    await isKilledInAnUpdate();
    await refreshesAndDestroys();
    const files = project.files().map((file) => [relative(project.folder, file), readFileSync(file)] as const);
    const texts = [...printed, ...files];

    const { bytes, found } = searchFor(SECRETS, texts);
    const { found: held } = searchFor({ device: DEVICE }, texts);

    for (const place of PLACES) expect(held.join("\n")).to.match(place);
    expect(found).to.deep.equal([]);
    this.runnable().title += ` (${printed.length} outputs, ${files.length} files, ${Math.round(bytes / 1000)} kB)`;
  });
});
