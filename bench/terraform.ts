import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ACCESS_TOKEN } from "./accessToken";
import { type Contestant, capacityOf, LARGEST_STACK, type Operation } from "./contestant";
import { measure } from "./measure";
import { BUSINESS, CAPACITY, type Device, devicesOf } from "./workload";

const VERSION = "v1.20.0";
const MODULE = "github.com/Mastercard/terraform-provider-restapi";
const FOLDER = resolve(__dirname, "../../.local/bench/restapi");

/** No drift repair: this version of the provider does not compare the read values with the declared ones. */
const ARGUMENTS: Partial<Record<Operation, readonly string[]>> = {
  "first preview": ["plan"],
  "first up": ["apply", "-auto-approve"],
  preview: ["plan", "-refresh=false"],
  "preview, reading": ["plan"],
  refresh: ["apply", "-refresh-only", "-auto-approve"],
  "one change": ["apply", "-refresh=false", "-auto-approve"],
  "one change, reading": ["apply", "-auto-approve"],
};

/** Terraform with the provider that sends any JSON. It has the same devices and the same values. */
export const terraform: Contestant = {
  name: "terraform",
  title: "Terraform",
  changesDevices: true,
  // It has one state, which each step rewrites. According to its times at 500 and 1,000 devices, 5,000 would take it 20
  // minutes.
  upTo: LARGEST_STACK,
  async prepare({ folder, sites, url }) {
    await buildProvider();
    writeFileSync(join(folder, "main.tf"), program(url, sites));
    const configuration = join(folder, "terraform.tfrc");
    const overrides = `dev_overrides { "Mastercard/restapi" = ${JSON.stringify(FOLDER)} }`;
    writeFileSync(configuration, `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
    const env = { ...process.env, TF_CLI_CONFIG_FILE: configuration, CHECKPOINT_DISABLE: "1" };
    return {
      command(operation) {
        const options = ARGUMENTS[operation];
        if (!options) return undefined;
        return {
          command: "terraform",
          args: [...options, "-input=false", "-no-color", "-parallelism=16"],
          cwd: folder,
          env: { ...env, TF_VAR_capacity: String(capacityOf(operation)) },
        };
      },
      stateBytes: () => statSync(join(folder, "terraform.tfstate")).size,
    };
  },
};

/** Builds the provider once. It is published as a Go module that `go install` cannot build. */
async function buildProvider(): Promise<void> {
  if (existsSync(join(FOLDER, "terraform-provider-restapi"))) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "go.mod"), `module scratch\n\ngo 1.25\n\nrequire ${MODULE} ${VERSION}\n`);
  const where = { cwd: FOLDER, env: process.env };
  await measure({ command: "go", args: ["get", `${MODULE}@${VERSION}`], ...where });
  await measure({ command: "go", args: ["build", "-mod=mod", "-o", "terraform-provider-restapi", MODULE], ...where });
}

function program(url: string, sites: number): string {
  const devices = Object.values(devicesOf(sites));
  const ofType = (type: Device["type"]) => devices.filter((device) => device.type === type);
  const [cars, roofs] = [ofType("vehicle"), ofType("inverter")];
  return `terraform {
  required_providers {
    restapi = { source = "Mastercard/restapi" }
  }
}

variable "capacity" { type = number }

provider "restapi" {
  uri           = "${url}"
  headers       = { Authorization = "Bearer ${ACCESS_TOKEN}", "Content-Type" = "application/json" }
  create_method = "PATCH"
  update_method = "PATCH"
}

${resource("car", cars, `max_capacity = count.index == 0 ? var.capacity : ${CAPACITY}`)}
${resource("roof", roofs)}`;
}

/**
 * Devices `<name>-0`, `<name>-1`, …, with the same values except an attribute. With `for_each`, the time would grow
 * with the square of their number.
 */
function resource(name: string, devices: readonly Device[], attribute = ""): string {
  const settings = Object.entries(devices[0]?.settings ?? {}).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  );
  return `resource "restapi_object" "${name}" {
  count       = ${devices.length}
  path        = "/api/v1/businesses/${BUSINESS}/devices"
  create_path = "/api/v1/businesses/${BUSINESS}/devices/${name}-\${count.index}"
  object_id   = "${name}-\${count.index}"
  data        = jsonencode(merge({ ${settings.join(", ")} }, { ${attribute} }))
}
`;
}
