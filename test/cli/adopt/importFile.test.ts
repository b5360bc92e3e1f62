import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { temporaryFolder } from "../../support/folder";
import { takeRequests } from "../../support/project";
import { givenCommandLine } from "../commandLine";

const fleet = {
  businesses: {
    acme: { car: { type: "vehicle" }, roof: { type: "inverter" } },
    "north/1": { car: { type: "vehicle" } },
  },
} as const;

describe("cli: adopt --import-file", () => {
  const given = givenCommandLine(fleet);
  const path = temporaryFolder();
  const adopt = (...args: string[]) => given.run(["adopt", "--import-file", path("import.json"), ...args]);
  const resources = () => JSON.parse(readFileSync(path("import.json"), "utf8")).resources;

  it("writes what pulumi import takes: types, unique names, encoded ids and the version of the plugin", async () => {
    const list = "deviceId,businessId\ncar,acme\nroof,acme\ncar,north/1\n";
    const { code, stderr } = await given.run(
      ["adopt", "--import-file", path("import.json"), "--devices", "-", "--column", "deviceId"],
      { input: list },
    );
    expect(code, stderr).to.equal(0);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const [vehicle, inverter] = ["VehicleSettings", "InverterSettings"].map((name) => `solar-charging:index:${name}`);
    expect(resources()).to.deep.equal([
      { type: vehicle, name: "acme-car", id: "acme/car", version },
      { type: inverter, name: "roof", id: "acme/roof", version },
      { type: vehicle, name: "north/1-car", id: "north%2F1/car", version },
    ]);
    expect(takeRequests(given.simulator).sort()).to.deep.equal(["GET car", "GET car", "GET roof"]);
  });

  it("leaves out a device that is not there, and says so", async () => {
    const { code, stderr } = await adopt("car", "nobody");
    expect(code).to.equal(1);
    expect(stderr).to.contain("nobody");
    expect(resources()).to.have.lengthOf(1);
  });

  it("writes nothing over a file that is there, unless it is forced to", async () => {
    expect((await adopt("car")).code).to.equal(0);
    expect((await adopt("roof")).code).to.equal(1);
    expect(resources()[0]).to.include({ name: "car" });
    expect((await adopt("roof", "--force")).code).to.equal(0);
    expect(resources()[0]).to.include({ name: "roof" });
  });

  it("writes no file if no device can be imported", async () => {
    expect((await adopt("nobody")).code).to.equal(1);
    expect(existsSync(path("import.json"))).to.equal(false);
  });
});
