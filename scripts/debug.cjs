// With NODE_OPTIONS="--require <this file>", each Node process that the engine starts loads this: that of the provider then
// waits for a debugger. Nothing may be printed to standard output, from which the engine reads the provider's port.
const PROVIDER = /dynamic-provider|pulumi-resource-solar-charging|provider[\\/]plugin[\\/]main/;

if (process.argv.slice(0, 2).some((argument) => PROVIDER.test(argument))) {
  require("node:inspector").open(9229, "127.0.0.1", true);
}
