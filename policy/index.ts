import { PolicyPack } from "@pulumi/policy";
import { lintRules } from "./lintRules";
import { solarReady } from "./solarReady";

new PolicyPack("pulumi-solar-charging-policy", { policies: [solarReady, ...lintRules] });
