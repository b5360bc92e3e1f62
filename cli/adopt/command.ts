import { command } from "../command/record";
import { ADOPT_OPTIONS } from "./options";
import type { Adoption } from "./read";

/** `solar-charging adopt`. */
export const adopt = command({
  args: ["[id...]", "ids of the devices to adopt"],
  options: ADOPT_OPTIONS,
  notes: `A CSV list can also have the columns site, businessId and kind (vehicle or inverter), and columns of settings, such as maxCapacity. The
manifest then declares these values instead of the reported ones.
If the manifest exists, new devices are added to it, and its lines do not change.
After Ctrl-C, the manifest has the devices read so far: run the command again to add the rest. With --force, an interrupted run writes nothing.`,
  exitCodes: {
    0: "all devices are in the manifest",
    1: "some are missing, and the command names them; or nothing was written",
    130: "interrupted",
  },
  examples: [
    "adopt car-1 car-2 roof-1 --site berlin",
    "adopt --devices devices.csv --out acme.yaml",
    "adopt --devices - < ids.txt",
    "adopt --devices devices.csv --import-file import.json",
    "adopt --import-file import.json --preview preview.json --ledger ledger.jsonl",
  ],
  read: async ({ args, options }): Promise<Adoption> => {
    const { importFile } = options;
    if (importFile === undefined) return await (await import("./adopt.js")).adopted(args, options);
    return await (await import("./importFile.js")).imported(args, { ...options, importFile });
  },
  // The steps of an adoption are on standard error, as they happen.
  show: { text: () => "", json: (adoption) => adoption },
  end: ({ failed }) => (failed.length > 0 ? 1 : 0),
});
