import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Contestant, capacityOf } from "./contestant";
import { devicesOf } from "./workload";

/** A script that only makes the same requests as we do, 64 in flight. It has neither state nor preview. */
export const script: Contestant = {
  name: "script",
  title: "script",
  changesDevices: true,
  async prepare({ folder, sites, url }) {
    const devices = join(folder, "devices.json");
    return {
      command(operation) {
        if (operation.includes("preview")) return undefined;
        writeFileSync(devices, JSON.stringify(devicesOf(sites, capacityOf(operation))));
        return {
          command: process.execPath,
          args: [join(__dirname, "plainScript.js"), operation, url, devices],
          cwd: folder,
          env: process.env,
        };
      },
      stateBytes: () => undefined,
    };
  },
};
