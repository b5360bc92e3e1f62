import { join } from "node:path";
import { expect } from "chai";
import { refuseUnreachable } from "../../provider/resources/privateHooks";
import { temporaryFolder } from "../support/folder";
import { ROOT } from "../support/project";

describe("A program whose package.json lacks the package", () => {
  const inFolder = temporaryFolder();

  it("is refused, with what to add and where", () => {
    expect(() => refuseUnreachable(inFolder("")))
      .to.throw("pnpm add")
      .with.property("message")
      .that.contains(inFolder(""));
    for (const folder of [ROOT, join(ROOT, "examples")]) refuseUnreachable(folder);
  });
});
