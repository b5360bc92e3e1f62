import type { CommandEntry } from "../command/record";

/** The commands. Each is loaded only if it runs, or for `help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "fleet",
    description: "Preview, roll out and check a fleet from its manifest",
    load: async () => (await import("../fleet/command.js")).fleet,
  },
  {
    name: "review",
    description:
      "Explain a preview: the verdict first, then each site that changes, with its gaps and its solar energy",
    load: async () => (await import("../review/command.js")).review,
  },
  {
    name: "sun",
    description: "Estimate the solar energy for a site's cars on clear days, before and after a change; sends nothing",
    load: async () => (await import("../sun/command.js")).sun,
  },
  {
    name: "measure",
    description:
      "Compare declared cars, roofs and base loads with charging sessions, production and meters; sends nothing, and needs no token",
    load: async () => (await import("../measure/command.js")).measure,
  },
  {
    name: "status",
    description:
      "Show which sites are ready, and what the others lack; reads each device once from the service's cache, and wakes no car",
    load: async () => (await import("../status/command.js")).status,
  },
  {
    name: "adopt",
    description: "Read devices from the service's cache, and write their values into a manifest; changes no device",
    load: async () => (await import("../adopt/command.js")).adopt,
  },
  {
    name: "ledger",
    description: "Show who set what, and when, from a ledger: in the last run, or for one device",
    load: async () => (await import("../ledger/command.js")).ledger,
  },
  {
    name: "doctor",
    description:
      "Check the configuration; with --device, also read that device once from the service's cache; wakes no car",
    load: async () => (await import("../doctor/command.js")).doctor,
  },
];
