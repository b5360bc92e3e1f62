import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/project";
import { type Done, JOURNEYS, type Journey, RECORDED, recordedVersions, replay } from "../support/recorded";

describe("engine: the stacks of all releases", () => {
  it("include one of the version that package.json names", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(recordedVersions()).to.include(version);
  });

  for (const version of recordedVersions()) {
    const recorded = (file: string) => readFileSync(join(RECORDED, version, file), "utf8");

    it(`hold nothing of the machine that recorded ${version}, and no token`, () => {
      for (const file of readdirSync(join(RECORDED, version)))
        expect(recorded(file), file).not.to.match(/simulator-token|file:|project:|"\/|\/(home|Users|root|tmp|work)\//);
    });

    for (const [journey, operations] of Object.entries(JOURNEYS)) {
      it(`go on from ${version} ${journey}: ${operations.join(", ")}`, async () => {
        const expectations = JSON.parse(recorded("expectations.json"));
        expect(await replay(version, journey as Journey)).to.deep.equal(expectations[journey]);
      });
    }
  }
});

describe("engine: the stacks of all releases, moved to the native plugin", () => {
  for (const version of recordedVersions()) {
    it(`go on from ${version} as with the dynamic resources`, async () => {
      const expected = JSON.parse(readFileSync(join(RECORDED, version, "expectations.json"), "utf8"))["at once"];
      const outcome = await replay(version, "at once", (project) => {
        project.findPlugin();
        const program = readFileSync(join(project.folder, "index.js"), "utf8");
        project.write("index.js", program.replaceAll('"pulumi-solar-charging"', '"pulumi-solar-charging/native"'));
      });
      expect(outcome.devices).to.deep.equal(expected.devices);
      // Compares updates only. In the other changes, the old provider and the resources that it only read leave the
      // stack.
      const updates = ({ changes, sent }: Done) => ({
        sent,
        changes: Object.entries(changes).filter(([, change]) => change === "update"),
      });
      expect(outcome.operations.slice(0, 3).map(updates)).to.deep.equal(expected.operations.slice(0, 3).map(updates));
    });
  }
});
