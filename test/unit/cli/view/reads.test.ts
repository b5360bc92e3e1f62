import { expect } from "chai";
import { AT_COMMAND_LINE } from "../../../../cli/audience";
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
