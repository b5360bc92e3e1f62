import { expect } from "chai";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { Failures } from "../../../../provider/lifecycle/site/call";
import { type Audience, MessageError } from "../../../../provider/messages/message";
import { IN_ENVIRONMENT, type Names } from "../../../../provider/messages/names";
import { type Place, placeOf } from "../../../../provider/settings/groups";
import { expectFacts } from "../../../support/facts";
import { refused } from "../../../support/fakes";

const deviceOf = (label: string, deviceId = label) => ({ ...(placeOf(label) as Place), businessId: "acme", deviceId });
const failuresFor = (audience: Audience = {}) => new Failures(() => {}, audience, new SecretInputs());
const OUTAGE = () => new Error("no answer");

describe("the failures of a site", () => {
  it("are one line for each cause, with all devices that met it", () => {
    const failures = failuresFor();
    for (const label of ["vehicle/a", "vehicle/b"]) failures.add(deviceOf(label), OUTAGE());
    failures.add(deviceOf("inverter/p"), refused(422));
    const [outage = "", refusal = "", ...others] = failures.reasons();
    expect(others).to.deep.equal([]);
    expect(outage).to.equal("vehicle/a, vehicle/b: no answer");
    expect(refusal).to.match(/^inverter\/p: .*422/);
  });

  it("name a device once, also if its problem is about no request", () => {
    const failures = failuresFor();
    failures.add(deviceOf("vehicle/a"), OUTAGE());
    expect(failures.reasons()).to.deep.equal(["vehicle/a: no answer"]);
  });

  it("name the device of a cause that one device met as the service does", () => {
    const failures = failuresFor();
    failures.add(deviceOf("vehicle/a"), refused(422));
    expect(failures.reasons()[0]).to.contain("'car'");
    failures.add(deviceOf("vehicle/b"), refused(422));
    expect(failures.reasons()[0])
      .to.match(/^vehicle\/a, vehicle\/b: /)
      .and.not.contain("'car'");
  });

  it("keep the different words of the service", () => {
    const failures = failuresFor();
    for (const index of [1, 2, 3, 4, 5]) {
      failures.add(
        deviceOf(`vehicle/${index}`),
        new MessageError({ code: "requestRefused", finding: "no", extract: `x${index}` }),
      );
    }
    expect(failures.reasons()).to.have.lengthOf(1);
    expectFacts(failures.reasons().join(), ["x1", "x2", "x3", "2 more"]);
  });

  it("name settings of the provider as the reader sets them", () => {
    const problem = { code: "internal", finding: "check {businessId}", keys: ["businessId"] } as const;
    const line = (names?: Names) => {
      const failures = failuresFor(names ? { names } : {});
      for (const label of ["vehicle/a", "vehicle/b"]) failures.add(deviceOf(label), new MessageError(problem));
      return failures.reasons().join();
    };
    expect(line(IN_ENVIRONMENT)).to.contain("SOLAR_CHARGING_BUSINESS_ID");
    expect(line()).to.contain("solar-charging:businessId");
  });

  it("are reported for each device, also if two of them have one name", () => {
    const reported: string[] = [];
    const failures = new Failures(({ deviceId }) => reported.push(deviceId), {}, new SecretInputs());
    for (const id of ["old", "new"]) failures.add(deviceOf("vehicle/a", id), OUTAGE());
    failures.add(deviceOf("vehicle/b", "b"), OUTAGE());
    expect(reported).to.deep.equal(["old", "new", "b"]);
    expect(failures.has("vehicle/a")).to.equal(true);
    expect(failures.has("vehicle/c")).to.equal(false);
  });

  it("name ten devices of a cause, and count the others", () => {
    const line = (devices: number) => {
      const failures = failuresFor();
      for (let index = 1; index <= devices; index += 1) failures.add(deviceOf(`vehicle/${index}`), OUTAGE());
      return failures.reasons().join();
    };
    expect(line(10)).to.match(/, vehicle\/10: no answer$/);
    expect(line(12)).to.match(/, vehicle\/10 \w+ 2 \w+: no answer$/);
  });
});
