import Module from "node:module";

/**
 * What the SDK loads at each start, and only needs for closures: three quarters of the CPU time of loading it. A run of a
 * fleet starts the SDK's host of dynamic resources once or twice for each stack, and its own program has no closures. This
 * module is preloaded in those processes and in the driver's threads, and loads these when they are first used.
 */
const ON_DEMAND = new Set(["typescript", "@npmcli/arborist"]);

/** Node's public hooks for this are not in all versions that are supported. */
interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

const loader = Module as unknown as Loader;
const load = loader._load;

loader._load = function (this: unknown, request: string, ...rest: unknown[]): unknown {
  const loadNow = () => load.call(this, request, ...rest);
  return ON_DEMAND.has(request) ? onDemand(loadNow) : loadNow();
};

/** A module that is loaded with the first look at one of its exports. */
function onDemand(loadNow: () => unknown): unknown {
  let loaded: object | undefined;
  const exports = () => {
    loaded ??= loadNow() as object;
    return loaded;
  };
  return new Proxy(
    {},
    {
      // Without it, the SDK copies all exports of the module as soon as it imports it.
      get: (_, name) => name === "__esModule" || Reflect.get(exports(), name),
      has: (_, name) => Reflect.has(exports(), name),
    },
  );
}
