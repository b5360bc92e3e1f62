import * as pulumi from "@pulumi/pulumi";
import { kW, type SiteVehicleArgs, SolarReadiness } from "pulumi-solar-charging";
import { ChargingBay } from "./chargingBay";
import { FLEET } from "./fleet";

// Where a device has another id at the service: pulumi config set --path deviceIds.van-1 <dev_id>
const ids = new pulumi.Config().getObject<Record<string, string>>("deviceIds") ?? {};

const vehicles: Record<string, SiteVehicleArgs> = {};
/** For the operations team: who stands where, and what it draws at most. */
export const bays: Record<string, pulumi.Output<string>> = {};

for (const { name, model, maxCapacity, bay, amperes, ...charger } of FLEET) {
  const maxChargePower = new ChargingBay(`bay-${bay}`, { amperes }).powerFor(charger);
  vehicles[name] = { deviceId: ids[name] ?? name, maxCapacity, maxChargePower, onDelete: "restore" };
  bays[bay] = pulumi.interpolate`${name}, ${model}, ${maxChargePower} W`;
}

const depot = new SolarReadiness("depot", {
  requireReady: true,
  latitude: 52.5,
  vehicles,
  inverters: {
    hall: {
      deviceId: ids.hall ?? "hall",
      peakPower: kW(60),
      azimuth: { degrees: -35, convention: "south-zero" }, // south-east, as PVGIS counts
      tilt: 10,
      cutInThreshold: 600, // W
      baseLoad: kW(2.5),
      onDelete: "restore",
    },
    office: {
      deviceId: ids.office ?? "office",
      peakPower: kW(18.5),
      azimuth: "WSW",
      tilt: 30,
      cutInThreshold: 200, // W
      baseLoad: 900, // W
      onDelete: "restore",
    },
  },
});

export const { ready, missing, unverified } = depot;
