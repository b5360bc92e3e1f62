import * as pulumi from "@pulumi/pulumi";
import { ChargePolicy, InverterSettings, VehicleSettings } from "pulumi-solar-charging";

const config = new pulumi.Config();

const roof = new InverterSettings("roof", {
  deviceId: config.get("inverter") ?? "roof",
  peakPower: 9_800,
  azimuth: 180,
  tilt: 35,
  cutInThreshold: 150,
  baseLoad: 400,
});

const car = new VehicleSettings(
  "car",
  {
    deviceId: config.get("vehicle") ?? "car",
    maxCapacity: 77_000,
    maxChargePower: 11_000,
    policy: ChargePolicy.ChargeByForecast,
  },
  // The forecast is of use only once the service knows the roof.
  { dependsOn: roof },
);

export const verification = { roof: roof.verification, car: car.verification };
