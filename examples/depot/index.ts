import * as pulumi from "@pulumi/pulumi";
import { SiteSettings, type SiteVehicleArgs } from "pulumi-solar-charging";
import { ChargingBay } from "./chargingBay";
import { FLEET } from "./fleet";

// If a device has another id at the service: pulumi config set --path deviceIds.van-1 <dev_id>
const ids = new pulumi.Config().getObject<Record<string, string>>("deviceIds") ?? {};

const vehicles: Record<string, SiteVehicleArgs> = {};
/** For the operations team: the vehicle of each bay, and its highest power. */
export const bays: Record<string, pulumi.Output<string>> = {};

for (const { name, model, maxCapacity, bay, amperes, ...charger } of FLEET) {
  const maxChargePower = new ChargingBay(`bay-${bay}`, { amperes }).powerFor(charger);
  vehicles[name] = { deviceId: ids[name] ?? name, maxCapacity, maxChargePower };
  bays[bay] = pulumi.interpolate`${name}, ${model}, ${maxChargePower} W`;
}

const depot = new SiteSettings("depot", {
  requireReady: true,
  latitude: 52.5,
  onDelete: "restore",
  vehicles,
  inverters: {
    hall: {
      deviceId: ids.hall ?? "hall",
      peakPower: "60 kWp",
      azimuth: { degrees: -35, convention: "south-zero" }, // south-east, in the convention of PVGIS
      tilt: 10,
      cutInThreshold: "600 W",
      baseLoad: "2.5 kW",
    },
    office: {
      deviceId: ids.office ?? "office",
      peakPower: "18.5 kWp",
      azimuth: "WSW",
      tilt: 30,
      cutInThreshold: "200 W",
      baseLoad: "900 W",
    },
  },
});

export const { ready, missing, unverified } = depot;
