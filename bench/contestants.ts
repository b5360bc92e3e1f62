import { type Contestant, LARGEST_STACK } from "./contestant";
import { floorInShards, oursInShards } from "./fleet";
import { oneStack } from "./oneStack";
import { script } from "./script";
import { LATENCY_SECONDS } from "./service";
import { terraform } from "./terraform";

/** This package, as its users have it. */
export const ours: Contestant = {
  name: "ours",
  prepare: (setting) =>
    setting.vehicles > LARGEST_STACK ? oursInShards(setting) : oneStack(setting, "pulumi-solar-charging"),
};

/** The engine with an empty dynamic resource: no request, no check. */
const floor: Contestant = {
  name: "floor",
  prepare: (setting) =>
    setting.vehicles > LARGEST_STACK ? floorInShards(setting) : oneStack(setting, "pulumi-floor-charging"),
};

/** The floor, with a read that waits as long as the service: how a refresh hides what it waits for. */
const waitingFloor: Contestant = {
  name: "waiting floor",
  upTo: LARGEST_STACK,
  prepare: (setting) => oneStack(setting, "pulumi-floor-charging", LATENCY_SECONDS * 1000),
};

/** All of them, in the order of the table. */
export const CONTESTANTS: readonly Contestant[] = [ours, floor, waitingFloor, script, terraform];
