import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";

type Properties = Record<string, unknown>;

/** A dynamic resource with the inputs of a `SiteSettings` or a `VehicleSettings`, whose provider does nothing. */
export class Floor extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs) {
    const __provider = 'exports.handler=()=>require("bench-floor").handlers';
    super("pulumi-nodejs:dynamic/bench:Floor", name, { ...args, __provider }, {});
  }
}

/** Without checks and requests, only the engine's own time is left. */
export const handlers = {
  check: async (_olds: Properties, news: Properties) => ({ inputs: news, failures: [] }),
  diff: async (_id: string, olds: Properties, news: Properties) => ({
    changes: Object.keys(news).some((key) => !isDeepStrictEqual(olds[key], news[key])),
  }),
  create: async (inputs: Properties) => ({ id: "floor", outs: inputs }),
  update: async (_id: string, _olds: Properties, news: Properties) => ({ outs: news }),
  read: async (id: string, props: Properties) => ({ id, props }),
  delete: async () => {},
};
