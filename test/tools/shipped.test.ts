import { expect } from "chai";
import { lockOfShipped } from "../../scripts/shipped";

describe("the packages that users get", () => {
  const manifest = { name: "a", version: "1.0.0", license: "Apache-2.0" };

  it("are dependencies and bundled packages, but neither tools nor packages of this repository", () => {
    const packages = {
      "": { version: "1.0.0" },
      policy: { version: "1.0.0" },
      "node_modules/policy": { link: true },
      "node_modules/runs": { version: "2.0.0", dependencies: { below: "*", tool: "*" } },
      "node_modules/runs/node_modules/below": { version: "3.0.0" },
      "node_modules/bundled": { version: "4.0.0", dev: true, dependencies: { tool: "*" } },
      "node_modules/tool": { version: "5.0.0", dev: true },
    };
    const lock = lockOfShipped(manifest, packages, ["node_modules/bundled"]);
    expect(Object.keys(lock.packages)).to.have.members([
      "",
      "node_modules/runs",
      "node_modules/runs/node_modules/below",
      "node_modules/bundled",
    ]);
    expect(lock.dependencies).to.deep.equal({ runs: "2.0.0", bundled: "4.0.0" });
    expect(lock.packages).to.have.nested.property("node_modules/runs.dependencies").that.deep.equals({ below: "*" });
  });
});
