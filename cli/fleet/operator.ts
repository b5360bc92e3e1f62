import { stringify } from "yaml";
import type { Manifest } from "../../provider/manifest/model";
import { type GeneratedFile, stacksOf, VERSIONS, wavesOf } from "./pipelines";

export interface OperatorOptions {
  /** Address of the Git repository with the files. */
  readonly repository: string;
  readonly branch: string;
  /** Organization at Pulumi Cloud. Absent: the state is in a backend of your own. */
  readonly organization?: string;
  /** Version of this package that the operator installs. */
  readonly version: string;
}

/** The name of the secret, the service account and the folder in the generated files. */
const NAME = "solar-charging";
const FOLDER = "operator";
/** The engine's name for the only organization of a backend of your own. */
const OWN_BACKEND = "organization";
/** The optional keys of the secret: the same variables as in the other pipelines. */
const OPTIONAL_KEYS = ["SOLAR_CHARGING_BUSINESS_ID", "SOLAR_CHARGING_INVERTER_FIELDS"];
/**
 * Time for which a successful update of the wave before counts. It is longer than a polling interval plus an update.
 */
const SUCCEEDED_WITHIN = "30m";

/**
 * `Stack` resources for the Pulumi Kubernetes Operator, version 2, one for each stack of the fleet, and the program
 * that they run.
 */
export function operatorFiles(manifest: Manifest, file: string, options: OperatorOptions): GeneratedFile[] {
  const { fleet } = manifest;
  const stacks = stacksOf(manifest);
  const waves = wavesOf(stacks.length).map(({ parts }) => parts.map((part) => stacks[part - 1] as string));
  const resources = waves.flatMap((wave, index) =>
    wave.map((stack) => stackResource(fleet, stack, waves[index - 1] ?? [], options)),
  );
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: NAME } };
  return [
    {
      path: `${FOLDER}/stacks.yaml`,
      text: `${header(fleet, file, options)}${[account, ...resources].map((resource) => stringify(resource)).join("---\n")}`,
    },
    {
      path: `${FOLDER}/Pulumi.yaml`,
      text: stringify({ name: fleet, runtime: { name: "nodejs", options: { typescript: false } }, main: "index.js" }),
    },
    {
      path: `${FOLDER}/package.json`,
      text: `${JSON.stringify({ private: true, dependencies: { "pulumi-solar-charging": options.version } }, null, 2)}\n`,
    },
    {
      path: `${FOLDER}/index.js`,
      text: `const { join } = require("node:path");
const { getStack } = require("@pulumi/pulumi");
const { FleetSettings } = require("pulumi-solar-charging");

const manifest = join(__dirname, "..", ${JSON.stringify(file)});
new FleetSettings(${JSON.stringify(fleet)}, { manifest, shard: getStack() });
`,
    },
  ];
}

function header(fleet: string, file: string, { organization }: OperatorOptions): string {
  return `# Stacks of the fleet ${fleet}, for the Pulumi Kubernetes Operator 2. Made by
#   npx solar-charging fleet generate operator --manifest ${file} …
# Run this command again if a shard that had no site gets one.
#
# The namespace needs a secret ${NAME} with the keys
# ${secretKeys(organization).join(", ")};
# if needed, ${OPTIONAL_KEYS.join(" and ")}.
# The service account needs the cluster role system:auth-delegator: see the documentation of the operator.
`;
}

function stackResource(fleet: string, stack: string, after: readonly string[], options: OperatorOptions): object {
  const { repository, branch, organization } = options;
  const secrets = secretKeys(organization).map((key) => [key, { type: "Secret", secret: { name: NAME, key } }]);
  return {
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: { name: resourceName(fleet, stack) },
    spec: {
      stack: `${organization ?? OWN_BACKEND}/${fleet}/${stack}`,
      projectRepo: repository,
      branch,
      repoDir: FOLDER,
      shallow: true,
      // As in the other pipelines, the next update repairs drift.
      refresh: true,
      continueResyncOnCommitMatch: false,
      // Deleting a Stack leaves the devices and the state as they are.
      destroyOnFinalize: false,
      serviceAccountName: NAME,
      envRefs: Object.fromEntries(secrets),
      ...(after.length > 0 && {
        prerequisites: after.map((name) => ({
          name: resourceName(fleet, name),
          requirement: { succeededWithinDuration: SUCCEEDED_WITHIN },
        })),
      }),
      workspaceTemplate: { spec: { image: `pulumi/pulumi:${VERSIONS.engine}-nonroot`, env: optionalVariables() } },
      // Without this, a pod of each stack would wait for the next commit, and a fleet has many stacks.
      workspaceReclaimPolicy: "Delete",
    },
  };
}

/** Optional keys of the secret. With envRefs, a missing key would keep the pod from starting. */
function optionalVariables(): object[] {
  return OPTIONAL_KEYS.map((key) => ({
    name: key,
    valueFrom: { secretKeyRef: { name: NAME, key, optional: true } },
  }));
}

function secretKeys(organization: string | undefined): string[] {
  const state = organization ? ["PULUMI_ACCESS_TOKEN"] : ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"];
  return ["SOLAR_CHARGING_BASE_URL", "SOLAR_CHARGING_ACCESS_TOKEN", ...state];
}

/** A valid name for Kubernetes: lower case letters, digits and hyphens. */
function resourceName(fleet: string, stack: string): string {
  const name = fleet
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 40);
  return `${name}-${stack}`;
}
