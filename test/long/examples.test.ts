import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describeExample } from "../support/example";
import { ROOT } from "../support/project";

describeExample("depot", 1);

it("engine: every example is run by a test: home by npm start, operations by otherProvider.test.ts", () => {
  const folder = join(ROOT, "examples");
  const projects = readdirSync(folder).filter((name) => existsSync(join(folder, name, "Pulumi.yaml")));
  expect(projects).to.have.members(["home", "operations", "fleet", "depot"]);
});
