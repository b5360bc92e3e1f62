import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { SiteSettings } from "pulumi-solar-charging";

const config = new pulumi.Config();

// The inventory knows the fuse of the wall box. This command prints a power, and runs in each preview.
const wallBox = local.runOutput({ command: config.get("inventory") ?? "echo 11 kW" });

const berlin = new SiteSettings("berlin", {
  latitude: 52.5,
  onDelete: "restore",
  vehicles: { van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: wallBox.stdout } },
  inverters: {
    roof: {
      deviceId: "roof-1",
      peakPower: "9.8 kWp",
      azimuth: "SSW",
      tilt: 35,
      cutInThreshold: "150 W",
      baseLoad: "400 W",
    },
  },
});

export const { ready, missing } = berlin;

// Runs after the first update, and after each update that changes the gaps. The command gets a line of JSON.
new local.Command("tell-operations", {
  create: config.get("tell") ?? "cat >> operations.jsonl",
  stdin: pulumi.interpolate`${pulumi.jsonStringify({ site: "berlin", ready, missing })}\n`,
});
