import { expect } from "chai";
import { problemOfEngine } from "../../../../cli/stacks/texts";

describe("errors of the engine", () => {
  // As the engine prints them.
  const LOGIN = "PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions";
  const PASSPHRASE =
    "could not create secrets manager for new stack: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or " +
    "PULUMI_CONFIG_PASSPHRASE_FILE environment variables";

  it("have a next step if the machine is not set up", () => {
    expect(problemOfEngine(LOGIN).advice).to.contain("pulumi login --local");
    expect(problemOfEngine(PASSPHRASE).advice).to.contain("export PULUMI_CONFIG_PASSPHRASE=");
    const pending = "Attempting to deploy or update resources\nwith 1 pending operations from previous deployment.";
    const { finding, advice } = problemOfEngine(
      `${pending}\n  * urn:…\nyou can repair your stack using \`pulumi refresh\``,
    );
    expect(finding, "the engine's advice can lose earlier values").to.contain("1 pending").and.not.contain("repair");
    expect(advice).to.contain("'fleet up'");
    expect(problemOfEngine("update failed")).to.not.have.property("advice");
  });

  it("are the same if only the name of a temporary file differs", () => {
    const [one, other] = ["0123456789abcdef", "fedcba9876543210"].map((id) =>
      problemOfEngine(`open state.json.${id}.tmp`),
    );
    expect(one).to.deep.equal(other);
  });
});
