import * as pulumi from "@pulumi/pulumi";
import { kW, kWh, SolarReadiness } from "pulumi-solar-charging";

const config = new pulumi.Config();

const home = new SolarReadiness("home", {
  latitude: 48.1,
  vehicles: {
    car: {
      deviceId: config.get("vehicle") ?? "car",
      maxCapacity: kWh(77),
      maxChargePower: kW(11), // what the car takes at home, not at a fast charger
    },
  },
  inverters: {
    roof: {
      deviceId: config.get("inverter") ?? "roof",
      peakPower: kW(9.8),
      azimuth: "SSW",
      tilt: 35,
      cutInThreshold: 150, // W
      baseLoad: 400, // W
    },
  },
});

export const { ready, missing, unverified } = home;
