import { ChargePolicy, InverterSettings, VehicleSettings } from "pulumi-solar-charging";

const roof = new InverterSettings("roof", {
  deviceId: "roof",
  peakPower: 9800,
  azimuth: 180,
  tilt: 35,
  cutInThreshold: 150,
  baseLoad: 400,
});

const car = new VehicleSettings(
  "car",
  {
    deviceId: "car",
    maxCapacity: 77_000,
    maxChargePower: 11_000,
    policy: ChargePolicy.ChargeByForecast,
    onDelete: "restore",
  },
  { dependsOn: roof },
);

export const roofVerification = roof.verification;
export const carVerification = car.verification;
