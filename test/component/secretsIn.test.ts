import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { SiteSettings, VehicleSettings } from "../../provider";
import { secretsIn } from "../../provider/resources/hidden";
import { mockedEngine } from "./mocks";

describe("Arguments that are secrets", () => {
  const engine = mockedEngine();
  const secretsOf = async (resource: pulumi.Resource) =>
    ((await engine.askedFor(resource)).inputs as { __program: { secrets?: unknown } }).__program.secrets;

  it("reach the check by their paths, and no others", async () => {
    const secret = pulumi.secret(77_000);
    const car = new VehicleSettings("car", { deviceId: pulumi.output("car"), maxCapacity: secret });
    expect(await secretsOf(car)).to.deep.equal(["maxCapacity"]);
    const vehicles = {
      car: { deviceId: "car", maxCapacity: secret, maxChargePower: pulumi.output(11_000) },
      van: pulumi.secret({ deviceId: "van" }),
    };
    expect(await secretsOf(new SiteSettings("home", { vehicles }))).to.deep.equal([
      "vehicles.car.maxCapacity",
      "vehicles.van",
    ]);
  });

  it("are not looked for if all is known", () => {
    expect(secretsIn({ vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } } })).to.equal(undefined);
  });
});
