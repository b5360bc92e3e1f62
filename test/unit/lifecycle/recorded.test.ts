import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { kindOfType, withoutFront } from "../../../provider/engine/tokens";
import { fromOutputs, isOwned, toOutputs } from "../../../provider/lifecycle/device/state";
import { fromSiteOutputs, toSiteOutputs } from "../../../provider/lifecycle/site/state";
import { inverter } from "../../../provider/settings/inverter";
import { isObject, omit, type Properties } from "../../../provider/settings/objects";
import { vehicle } from "../../../provider/settings/vehicle";
import { RECORDED, recordedVersions } from "../../support/recorded";

/** A resource in an exported stack. */
interface Recorded {
  readonly type: string;
  readonly urn: string;
  readonly outputs?: Properties;
}

/** The outputs of our resources, in plain. */
function ownOutputs(version: string): [urn: string, type: string, outputs: Properties][] {
  const stack = JSON.parse(readFileSync(join(RECORDED, version, "stack.json"), "utf8"), (_, value) =>
    isObject(value) && typeof value.plaintext === "string" ? JSON.parse(value.plaintext) : value,
  );
  return (stack.deployment.resources as Recorded[]).flatMap(({ type, urn, outputs = {} }) =>
    kindOfType(type) ? [[urn, type, withoutFront(outputs)]] : [],
  );
}

/** The outputs of a site that follow from the others. A later version may word them differently. */
const DERIVED = ["gaps", "missing", "ready", "unverified"];

/** The outputs without a status that later versions leave out, because it is the rule. */
function withoutRule(outputs: Properties): Properties {
  return JSON.parse(JSON.stringify(outputs), (key, value) =>
    key === "status" && value === "verified" ? undefined : value,
  );
}

function rewritten(type: string, outputs: Properties): Properties {
  const kind = kindOfType(type);
  if (kind === "site") return toSiteOutputs(fromSiteOutputs(outputs));
  return isOwned(outputs) ? toOutputs(fromOutputs(kind === "vehicle" ? vehicle : inverter, outputs)) : outputs;
}

describe("the outputs of a released version", () => {
  for (const version of recordedVersions()) {
    it(`of ${version} become the outputs that this version writes`, () => {
      const resources = ownOutputs(version);
      expect(resources).to.have.lengthOf.above(10);
      for (const [urn, type, outputs] of resources) {
        const facts = (all: Properties) => omit<unknown>(all, DERIVED);
        expect(facts(rewritten(type, outputs)), urn).to.deep.equal(facts(withoutRule(outputs)));
      }
    });
  }
});
