import { existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { dirname } from "node:path";
import { expect } from "chai";
import { changesOf, Journal } from "../../../provider/ledger/journal";
import { ledgerLine } from "../../../provider/ledger/ledgerLine";
import { desk, originOf } from "../../../provider/ledger/origin";
import { problemOf, textOf } from "../../../provider/messages/message";
import { ServiceError } from "../../../provider/service/errors";
import { thrownBy } from "../../support/failure";
import { CAR, refused, uncertain } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

const DESK = `${userInfo().username}@${hostname()}`;
const URN = "urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/solar-charging:VehicleSettings::car";
const UPDATE = {
  operation: "update",
  device: CAR,
  urn: URN,
  changes: changesOf({ maxCapacity: 77_000, policy: "CHARGE BY" }, { maxCapacity: 60_000, maxChargePower: 11_000 }),
};

describe("Ledger", () => {
  const path = temporaryFolder();

  function ledgerAt(file: string, environment: NodeJS.ProcessEnv = {}, urnOfRun: string | undefined = URN) {
    const warnings: string[] = [];
    const ledger = new Journal(
      file,
      originOf(environment, undefined, undefined, () => urnOfRun),
      async (message) => {
        warnings.push(textOf(message));
      },
    );
    return { ledger, warnings };
  }

  const linesOf = (file: string) =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  async function recorded(
    outcome: unknown,
    environment: NodeJS.ProcessEnv = {},
    { urnOfRun = URN, ...changes }: { readonly urnOfRun?: string } = {},
  ) {
    const { ledger } = ledgerAt(path("ledger"), environment, urnOfRun);
    const recording = ledger.begin({ ...UPDATE, ...changes });
    if (outcome === "accepted") {
      recording.accepted();
      await recording.end({ maxCapacity: "verified", policy: "notReported", tilt: "pending" });
    } else await recording.failed(outcome);
    return readFileSync(path("ledger"), "utf8") === "" ? undefined : linesOf(path("ledger"))[0];
  }

  it("records who changed what of which device, from what, and how it was read back", async () => {
    const before = new Date().toISOString();
    const { time, run, ...line } = await recorded("accepted");
    expect(run).to.match(/^[0-9a-f-]{36}$/);
    expect(line).to.deep.equal({
      project: "fleet",
      stack: "dev",
      urn: URN,
      by: DESK,
      operation: "update",
      businessId: "acme",
      deviceId: "car",
      changes: [
        { key: "maxCapacity", old: 60_000, new: 77_000, verification: "verified" },
        { key: "policy", new: "CHARGE BY", verification: "notReported" },
      ],
      outcome: "accepted",
    });
    expect(time >= before && time <= new Date().toISOString()).to.equal(true);
    expect(ledgerLine.safeParse({ time, run, ...line }).success).to.equal(true);
  });

  const failures: [string, unknown, object][] = [
    ["a refusal, with its status", refused(422), { outcome: "refused", status: 422 }],
    ["an answer that never came", uncertain(), { outcome: "unknown" }],
    ["a refusal after a lost answer", refused(403, { maybeApplied: true }), { outcome: "unknown", status: 403 }],
    ["an update that was given up", new Error("update gave up after 300 s"), { outcome: "unknown" }],
  ];
  for (const [what, error, expected] of failures) {
    it(`tells ${what}, and nothing of its words`, async () => {
      const line = await recorded(error);
      expect(line).to.deep.include(expected);
      expect(line.changes).to.deep.equal([
        { key: "maxCapacity", old: 60_000, new: 77_000 },
        { key: "policy", new: "CHARGE BY" },
      ]);
      expect(JSON.stringify(line)).to.not.match(/gave up|HTTP|answer|Check/);
    });
  }

  it("has no line for what has not reached the service", async () => {
    const failure = { code: "tls" as const, reason: "the TLS connection failed", advice: "Check it", transient: false };
    expect(await recorded(new ServiceError("update", CAR, failure, { maybeApplied: false }))).to.equal(undefined);
  });

  it("names project and stack of what is deleted, and the project alone if it knows no resource of the run", async () => {
    const origin = async (changes: object) => {
      const { project, stack, urn } = await recorded("accepted", { PULUMI_NODEJS_PROJECT: "other" }, changes);
      return { project, stack, urn };
    };
    const deleted = { operation: "delete", urn: undefined };
    expect(await origin(deleted)).to.deep.equal({ project: "fleet", stack: "dev", urn: undefined });
    truncateSync(path("ledger"));
    const unknown = { ...deleted, urnOfRun: "" };
    expect(await origin(unknown)).to.deep.equal({ project: "other", stack: undefined, urn: undefined });
  });

  const GITHUB = {
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "acme/fleet",
    GITHUB_RUN_ID: "17",
    GITHUB_ACTOR: "jane",
  };
  const pipelines: [string, NodeJS.ProcessEnv, string][] = [
    ["GitHub Actions", GITHUB, "https://github.com/acme/fleet/actions/runs/17"],
    [
      "GitLab CI",
      { CI_JOB_URL: "https://gitlab.com/acme/-/jobs/5", GITLAB_USER_LOGIN: "jane" },
      "https://gitlab.com/acme/-/jobs/5",
    ],
    ["Jenkins", { BUILD_URL: "https://ci.test/job/5/" }, "https://ci.test/job/5/"],
    [
      "an address with a user and a token",
      { BUILD_URL: "https://jane:t0ken@ci.test/5?t=t0ken#t" },
      "https://ci.test/5",
    ],
    ["a Jenkins without TLS", { BUILD_URL: "http://jenkins.internal/job/5/" }, "http://jenkins.internal/job/5/"],
    ["an address of another kind that holds one", { BUILD_URL: "blob:https://ci.test/5" }, DESK],
    ["an address that is none", { BUILD_URL: "file:///home/jane" }, DESK],
    ["no pipeline", {}, DESK],
  ];
  for (const [what, environment, expected] of pipelines) {
    it(`names the run of the pipeline and no user of it, else the user and the host: ${what}`, async () => {
      const line = await recorded("accepted", environment);
      expect(line.by).to.equal(expected);
      expect(JSON.stringify(line)).to.not.match(/jane|t0ken/);
    });
  }

  it("names a user without a name by the environment", () => {
    const unnamed = () => {
      throw new Error("ENOENT");
    };
    expect(desk({ USER: "jane" }, unnamed)).to.equal(`jane@${hostname()}`);
    expect(desk({}, unnamed)).to.equal(`unknown@${hostname()}`);
  });

  it("has one run id for a process, another for the next, and that of the environment if it is set", async () => {
    const runsOf = async (environment: NodeJS.ProcessEnv) => {
      const { ledger } = ledgerAt(path("runs"), environment);
      for (const _ of [1, 2]) await ledger.begin(UPDATE).end();
    };
    for (const environment of [{}, { SOLAR_CHARGING_RUN_ID: "" }, { SOLAR_CHARGING_RUN_ID: "one" }]) {
      await runsOf(environment);
    }
    const [a, again, b, , ...given] = linesOf(path("runs")).map(({ run }) => run);
    expect(a).to.equal(again);
    expect(b).to.be.a("string").that.is.not.empty.and.not.equals(a);
    expect(given).to.deep.equal(["one", "one"]);
  });

  it("is not made before there is something to tell", () => {
    ledgerAt(path("ledger"));
    expect(existsSync(path("ledger"))).to.equal(false);
  });

  it("refuses an update that it could not tell of, with the path and what to do", () => {
    const { ledger } = ledgerAt(path("no/ledger"));
    expect(thrownBy(() => ledger.begin(UPDATE)).message).to.match(
      /no\/ledger .*\(ENOENT\).*SOLAR_CHARGING_LEDGER_FILE/,
    );
  });

  it("is asked again each time, so that a folder that is made meanwhile is found", () => {
    const { ledger } = ledgerAt(path("no/ledger"));
    thrownBy(() => ledger.begin(UPDATE));
    mkdirSync(dirname(path("no/ledger")));
    ledger.begin(UPDATE).accepted();
  });

  it("warns with the line if the disk is full after an update, and refuses the next", async function () {
    if (!existsSync("/dev/full")) this.skip(); // Only Linux has /dev/full.
    const { ledger, warnings } = ledgerAt("/dev/full");
    const recording = ledger.begin(UPDATE);
    recording.accepted();
    await recording.end({ maxCapacity: "verified" });
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.match(/\/dev\/full .*\(ENOSPC\).*: \{.*"new":77000.*\}$/);
    expect(problemOf(thrownBy(() => ledger.begin(UPDATE))).code).to.equal("ledgerFails");
  });
});
