import { expect } from "chai";
import { targetsOf } from "../../../cli/fleet/rollout/waves";

const FLEET = { urn: "urn:pulumi:shard-1-of-1::acme::solar-charging:index:FleetSettings::acme" };

describe("cli fleet: the targets of the canary", () => {
  it("are its site alone, if the stack has the component above it", () => {
    expect(targetsOf("acme", "berlin", [FLEET])).to.deep.equal(["**:SiteSettings::berlin"]);
  });

  it("are the component too, if the stack has it not yet, or has another fleet's", () => {
    for (const present of [[], [{ urn: `${FLEET.urn}-2` }]]) {
      expect(targetsOf("acme", "berlin", present)).to.deep.equal(["**:FleetSettings::acme", "**:SiteSettings::berlin"]);
    }
  });
});
