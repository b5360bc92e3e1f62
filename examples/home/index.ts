import * as pulumi from "@pulumi/pulumi";
import { SiteSettings } from "pulumi-solar-charging";

const config = new pulumi.Config();

const home = new SiteSettings("home", {
  latitude: 48.1,
  vehicles: {
    car: {
      deviceId: config.get("vehicle") ?? "car",
      maxCapacity: "77 kWh",
      maxChargePower: "11 kW", // what the car takes at home, not at a fast charger
    },
  },
  inverters: {
    roof: {
      deviceId: config.get("inverter") ?? "roof",
      peakPower: "9.8 kWp",
      azimuth: "SSW", // where the panels face
      tilt: 35, // degrees from horizontal
      cutInThreshold: "150 W",
      baseLoad: "400 W", // what the house uses all the time
    },
  },
});

export const { ready, missing, unverified } = home;
