import { readFileSync, writeFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { readValues } from "../../../provider/lifecycle/device/read";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { Failures } from "../../../provider/lifecycle/site/call";
import { type Place, placeOf } from "../../../provider/settings/groups";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { callOf } from "../../support/fakes";
import { ROOT } from "../../support/project";
import { type Reply, servers } from "../../support/server";
import { never, serviceAt } from "../../support/service";

const GOLDEN = join(ROOT, "test", "unit", "messages", "hints.md");
const ABOUT = `# The message for each answer of the service

For a read and an update, of one device and of several. hints.test.ts writes this file with UPDATE_GOLDEN=1. Read the
difference before you commit it: does the hint fit the answer? NNN stands for each status of a row.
`;

const JSON_TYPE = { "content-type": "application/json" };
const PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>";
const NOW = { date: "Sun, 01 Mar 2026 12:00:00 GMT" };

type Answer = Exclude<Reply, (...any: never[]) => void>;

/** Answers in words, beside those that have a status alone. */
const OTHERS: readonly (readonly [words: string, answer: Answer])[] = [
  ["502 with a page", { status: 502, headers: { "content-type": "text/html" }, body: PAGE }],
  ["404 with a page", { status: 404, headers: { "content-type": "text/html" }, body: "<title>Not Found</title>" }],
  ["403 with a page without a title", { status: 403, headers: { "content-type": "text/html" }, body: "<h1>No</h1>" }],
  ["302 to a login page", { status: 302, headers: { location: "https://login.example.com/in?next=%2Fapi" } }],
  ["429, Retry-After: 30", { status: 429, headers: { ...NOW, "retry-after": "30" } }],
  ["503, Retry-After: a date", { status: 503, headers: { ...NOW, "retry-after": "Fri, 31 Dec 2027 12:00:00 GMT" } }],
  ["200 with a page", { body: "<html><title>Sign in</title>" }],
  ["200 with another object", { headers: JSON_TYPE, body: '{"message":"Welcome"}' }],
  ["206", { status: 206, headers: JSON_TYPE, body: '{"id":"a"}' }],
];

/** Statuses and answers in words, with ranges: `405–407, 411`. */
function shortened(answers: readonly string[]): string {
  const isNext = (index: number) => Number(answers[index]) === Number(answers[index - 1]) + 1;
  const inside = (index: number) => isNext(index) && isNext(index + 1);
  const shown = answers.flatMap((answer, index) => {
    if (inside(index)) return [];
    return [isNext(index) && inside(index - 1) ? `–${answer}` : `, ${answer}`];
  });
  return shown.join("").slice(2);
}

describe("the hint for an answer of the service", () => {
  const serve = servers();

  /** The message for one device, and for two devices. */
  async function hintsFor(answer: Answer, request: "read" | "update"): Promise<string[]> {
    const [one, two] = [1, 2].map(() => new Failures(() => {}, {}, new SecretInputs())) as [Failures, Failures];
    for (const deviceId of ["a", "b"]) {
      const isEmpty = answer.status === 304;
      const body = answer.body ?? (isEmpty ? "" : JSON.stringify({ detail: `${deviceId} is strange` }));
      const { url } = await serve({ headers: JSON_TYPE, ...answer, body });
      const service = serviceAt(url, { retryTimeoutSeconds: 0 });
      const ref = { businessId: "acme", deviceId };
      const work =
        request === "read"
          ? readValues(callOf(vehicle, service), ref)
          : service.updateDevice(ref, { policy: "CHARGE BY" }, never);
      const error = await work.then(
        () => undefined,
        (failure) => failure,
      );
      if (error === undefined) return ["(accepted)", "(accepted)"];
      if (deviceId === "a") one.add({ ...(placeOf("vehicle/a") as Place), ...ref }, error);
      two.add({ ...(placeOf(`vehicle/${deviceId}`) as Place), ...ref }, error);
    }
    return [one, two].flatMap((failures) => failures.reasons());
  }

  it("fits the answer, as a person can read in hints.md", async () => {
    const rows = new Map<string, string[]>();
    const note = (answer: string, request: string, hints: string[]) => {
      const key = [request, ...hints].join("\n\n");
      rows.set(key, [...(rows.get(key) ?? []), answer]);
    };
    for (const request of ["read", "update"] as const) {
      for (let status = 300; status <= 599; status += 1) {
        const hints = await hintsFor({ status }, request);
        const phrase = `${status} ${STATUS_CODES[status] ?? "unknown"}`;
        note(
          String(status),
          request,
          hints.map((hint) => hint.replaceAll(phrase, "NNN")),
        );
      }
      for (const [words, answer] of OTHERS) note(words, request, await hintsFor(answer, request));
    }
    const found = [...rows].map(([key, answers]) => {
      const [request, ...hints] = key.split("\n\n");
      return `\n## ${request}: ${shortened(answers)}\n\n${hints.map((hint) => `- ${hint}\n`).join("")}`;
    });
    const text = `${ABOUT}${found.join("")}`;
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text);
    expect(text).to.equal(readFileSync(GOLDEN, "utf8"));
  });

  it("names no setting if the request was a read", async () => {
    for (const status of [400, 405, 413, 422]) {
      expect(await hintsFor({ status }, "read")).to.satisfy((hints: string[]) => !/declared values/.test(hints.join()));
    }
  });

  it("keeps the service's own words for several devices", async () => {
    const [, two] = await hintsFor({ status: 400 }, "update");
    expect(two).to.contain("a is strange").and.contain("b is strange");
  });

  it("says that the version is in the base URL twice", async () => {
    const { url } = await serve({ status: 404, headers: JSON_TYPE });
    const service = serviceAt(`${url}/api/v1`);
    const error = await failureOf(service.readDevice({ businessId: "acme", deviceId: "a" }, never));
    expect(error).to.have.nested.property("problem.advice").that.contains("/api/v1");
  });
});
