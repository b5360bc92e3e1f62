import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ACCESS_TOKEN } from "./accessToken";
import { type Contestant, LARGEST_STACK, type Operation } from "./contestant";
import { measure } from "./measure";

const VERSION = "v1.20.0";
const MODULE = "github.com/Mastercard/terraform-provider-restapi";
const FOLDER = resolve(__dirname, "../../.local/bench/restapi");

const ARGUMENTS: Record<Operation, string[]> = {
  "first preview": ["plan"],
  "first up": ["apply", "-auto-approve"],
  preview: ["plan"],
  refresh: ["apply", "-refresh-only", "-auto-approve"],
  "one change": ["apply", "-auto-approve"],
};

/** Terraform with the provider that sends any JSON: the same devices, the same values. */
export const terraform: Contestant = {
  name: "terraform",
  // It keeps one state, which each step rewrites: by its times at 500 and 1,000, 5,000 would take it 20 minutes.
  upTo: LARGEST_STACK,
  async prepare({ folder, vehicles, url }) {
    await buildProvider();
    writeFileSync(join(folder, "main.tf"), program(url, vehicles));
    const configuration = join(folder, "terraform.tfrc");
    const overrides = `dev_overrides { "Mastercard/restapi" = ${JSON.stringify(FOLDER)} }`;
    writeFileSync(configuration, `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
    const env = {
      ...process.env,
      TF_CLI_CONFIG_FILE: configuration,
      TF_VAR_capacity: "77000",
      CHECKPOINT_DISABLE: "1",
    };
    return {
      command: (operation: Operation) => ({
        command: "terraform",
        args: [...ARGUMENTS[operation], "-input=false", "-no-color", "-parallelism=16"],
        cwd: folder,
        env: operation === "one change" ? { ...env, TF_VAR_capacity: "78000" } : env,
      }),
      stateBytes: () => statSync(join(folder, "terraform.tfstate")).size,
    };
  },
};

/** Builds the provider once. It is published as a Go module, with which `go install` cannot do anything. */
async function buildProvider(): Promise<void> {
  if (existsSync(join(FOLDER, "terraform-provider-restapi"))) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "go.mod"), `module scratch\n\ngo 1.25\n\nrequire ${MODULE} ${VERSION}\n`);
  const where = { cwd: FOLDER, env: process.env };
  await measure({ command: "go", args: ["get", `${MODULE}@${VERSION}`], ...where });
  await measure({ command: "go", args: ["build", "-mod=mod", "-o", "terraform-provider-restapi", MODULE], ...where });
}

function program(url: string, vehicles: number): string {
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

resource "restapi_object" "car" {
  count       = ${vehicles}
  path        = "/api/v1/businesses/acme/devices"
  create_path = "/api/v1/businesses/acme/devices/car-\${count.index}"
  object_id   = "car-\${count.index}"
  data = jsonencode({
    max_capacity     = count.index == 0 ? var.capacity : 77000
    max_charge_power = 11000
    policy           = "CHARGE BY FORECAST"
  })
}
`;
}
