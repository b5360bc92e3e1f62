/**
 * Flags of V8, by the version of Node, with which only code that runs often is optimized. Without them, processes that
 * live for seconds (the command, the plugin, Pulumi's host of dynamic resources) would spend an eighth to a third of
 * their CPU time on optimized code that then hardly runs. V8 renames such flags, and prints an error for one that it does
 * not know, so each version is named.
 */
import { setFlagsFromString } from "node:v8";

const FLAGS: Readonly<Record<string, string>> = {
  20: "--interrupt-budget=500000",
  22: "--invocation-count-for-turbofan=20000",
};
const flag = FLAGS[Number.parseInt(process.versions.node, 10)];
if (flag) setFlagsFromString(flag);
