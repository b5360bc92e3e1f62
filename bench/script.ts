import { join } from "node:path";
import type { Contestant, Operation } from "./contestant";

/** A script that makes the same calls, 64 in flight, and knows neither state nor what would change. */
export const script: Contestant = {
  name: "script",
  async prepare({ folder, vehicles, url }) {
    return {
      command: (operation: Operation) =>
        operation.includes("preview")
          ? undefined
          : {
              command: process.execPath,
              args: [join(__dirname, "plainScript.js"), operation, url, String(vehicles)],
              cwd: folder,
              env: process.env,
            },
      stateBytes: () => undefined,
    };
  },
};
