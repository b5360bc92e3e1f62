import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { outputSchema } from "../../scripts/output";
import { ROOT } from "../support/project";

describe("the schema of the commands' output", () => {
  it("is made of their types", () => {
    const checkedIn = JSON.parse(readFileSync(join(ROOT, "schema/output.schema.json"), "utf8"));
    expect(checkedIn, "run 'npm run schema'").to.deep.equal(JSON.parse(JSON.stringify(outputSchema(ROOT))));
  });
});
