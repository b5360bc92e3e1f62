import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { engineSettings } from "../../../cli/fleet/engine/settings";

describe("cli fleet: what the SDK loads on demand", () => {
  /** What a script prints as JSON, in a process as an engine starts it. */
  const printed = (script: string, environment: NodeJS.ProcessEnv = {}) => {
    const { NODE_OPTIONS } = engineSettings(environment);
    const env = { ...process.env, ...environment, NODE_OPTIONS };
    return JSON.parse(execFileSync(process.execPath, ["-p", script], { encoding: "utf8", env }));
  };
  const loaded = `JSON.stringify(Object.keys(require.cache).filter((file) => file.endsWith("typescript.js")))`;

  it("is not loaded by the host of dynamic resources", () => {
    expect(printed(`require("@pulumi/pulumi/runtime"); ${loaded}`)).to.deep.equal([]);
  });

  it("is there for who uses it", () => {
    expect(printed(`JSON.stringify(typeof require("typescript").transpile)`)).to.equal("function");
    expect(printed(`JSON.stringify("transpile" in require("typescript"))`)).to.equal(true);
    expect(printed(`require("typescript").version; ${loaded}`)).to.have.lengthOf(1);
  });

  it("keeps the user's own options for Node", () => {
    expect(printed("process.title", { NODE_OPTIONS: "--title=7" })).to.equal(7);
  });
});
