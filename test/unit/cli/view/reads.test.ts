import { expect } from "chai";
import { AT_COMMAND_LINE } from "../../../../cli/environment";
import { observe } from "../../../../cli/view/reads";
import { expectFacts } from "../../../support/facts";
import { COMPLETE, runOf } from "../../../support/fakes";
import { servers } from "../../../support/server";

describe("the reads of a command that only shows", () => {
  const serve = servers();

  it("advise at a wrong address to check it, and never to take the devices for gone", async () => {
    const { url } = await serve({ status: 404, headers: { "content-type": "application/json" }, body: "{}" });
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_BASE_URL: url });
    const devices = ["a", "b", "c"].map((deviceId) => ({ businessId: "acme", deviceId }));
    const found = await observe(run, devices, { onProgress: () => {}, audience: AT_COMMAND_LINE });
    const problems = [...found.values()].map((finding) => ("problem" in finding ? finding.problem : undefined));
    expect(problems.map((problem) => problem?.code)).to.deep.equal(["unread", "unread", "unread"]);
    expectFacts(problems[0]?.finding ?? "", [url, "SOLAR_CHARGING_BASE_URL", "businessId"]);
    expect(problems[0]?.finding).not.to.contain("ALLOW_GONE");
  });

  describe("if a business answers nothing", () => {
    const refs = (businessId: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ businessId, deviceId: `${businessId}-${index}` }));
    /** @param statusOf the status of the answer to a path */
    const reads = async (
      statusOf: (path: string) => number | Promise<number>,
      devices: ReturnType<typeof refs>,
      onProgress: () => void = () => {},
      variables: NodeJS.ProcessEnv = {},
    ) => {
      const { url, received } = await serve(async (response, { path }) => {
        const status = await statusOf(path);
        response.writeHead(status, { "content-type": "text/plain" }).end(`no access to ${path}`);
      });
      const run = runOf({
        ...{ ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0" },
        ...variables,
      });
      const found = await observe(run, devices, { onProgress });
      const words = [...found.values()].map((finding) => ("problem" in finding ? finding.problem.finding : ""));
      return { asked: new Set(received.map(({ path }) => path)).size, words };
    };

    it("ask a few of its devices, and give all of them its reason", async () => {
      const { asked, words } = await reads(() => 503, refs("acme", 40));
      expect(asked).to.be.lessThan(30);
      expect(words).to.have.length(40);
      expect(new Set(words)).to.have.length(1);
      expectFacts(words[0] ?? "", ["503", "no access to"]);
    });

    it("ask the devices of another business, and all if one is known or fails in another way", async () => {
      const both = await reads(
        (path) => (path.includes("acme") ? 503 : 400),
        [...refs("acme", 30), ...refs("other", 30)],
      );
      expect(both.words.filter((words) => words.includes("503"))).to.have.length(30);
      expect(both.words.filter((words) => words.includes("400"))).to.have.length(30);
      for (const other of [400, 404]) {
        const mixed = await reads((path) => (path.endsWith("-0") ? other : 503), refs("acme", 30));
        expect(mixed.asked).to.equal(30);
        expect(mixed.words.filter((words) => words.includes("503"))).to.have.length(29);
      }
    });

    it("ask all if each of them is refused, because others may not be", async () => {
      expect((await reads(() => 403, refs("acme", 40))).asked).to.equal(40);
    });

    it("ask those that were left out, if a request that was under way is answered in another way", async () => {
      let done = 0;
      let answerFirst: (status: number) => void = () => {};
      const first = new Promise<number>((resolve) => {
        answerFirst = resolve;
      });
      const onProgress = () => {
        done += 1;
        if (done === 5) answerFirst(404);
      };
      const statusOf = (path: string) => (path.endsWith("-0") ? first : 503);
      const all = await reads(statusOf, refs("acme", 30), onProgress, { SOLAR_CHARGING_MAX_CONCURRENCY: "2" });
      expect(all.words).to.have.length(30);
      expect(all.asked).to.equal(30);
    });
  });

  it("show the service's own words beside each device, unless a setting is a secret", async () => {
    const { url } = await serve({ status: 400, headers: { "content-type": "application/json" }, body: "too many: 77" });
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_BASE_URL: url });
    const wordsFor = async (secret: readonly string[]) => {
      const devices = ["a", "b"].map((deviceId) => ({ businessId: "acme", deviceId, secret }));
      const found = await observe(run, devices, { onProgress: () => {}, audience: AT_COMMAND_LINE });
      return [...found.values()].map((finding) => "problem" in finding && finding.problem.finding.includes("too many"));
    };
    expect(await wordsFor([])).to.deep.equal([true, true]);
    expect(await wordsFor(["maxCapacity"])).to.deep.equal([false, false]);
  });
});
