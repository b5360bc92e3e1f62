import { expect } from "chai";
import { parse, parseAllDocuments } from "yaml";
import { operatorFiles } from "../../../../cli/fleet/operator";
import { fleetOf } from "./fleets";

const OPTIONS = { repository: "https://github.com/acme/fleet", branch: "main", version: "1.2.3" };

interface StackResource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly stack: string;
    readonly destroyOnFinalize: boolean;
    readonly envRefs: Record<string, unknown>;
    readonly workspaceTemplate: { readonly spec: { readonly env: readonly object[] } };
    readonly prerequisites?: readonly { readonly name: string; readonly requirement: object }[];
  };
}

function made(
  sites: number,
  shards: number,
  { fleet = "acme", ...options }: { fleet?: string; organization?: string } = {},
) {
  const files = operatorFiles(fleetOf(sites, shards, fleet), "fleets/acme.yaml", { ...OPTIONS, ...options });
  const text = (path: string) => files.find((file) => file.path === path)?.text ?? "";
  const stacks = parseAllDocuments(text("operator/stacks.yaml"))
    .map((document) => document.toJS() as StackResource)
    .filter(({ kind }) => kind === "Stack");
  return { text, stacks };
}

describe("generate: the operator's files", () => {
  it("have a Stack for each shard with sites, under the name that the driver gives its stack", () => {
    const { stacks } = made(400, 32);
    expect(stacks).to.have.lengthOf(32);
    expect(stacks[6]?.spec.stack).to.equal("organization/acme/shard-07-of-32");
    expect(stacks[6]?.metadata.name).to.equal("acme-shard-07-of-32");
  });

  it("hold each wave back until all of the one before has succeeded", () => {
    const { stacks } = made(400, 32);
    const after = stacks.map(({ spec }) => spec.prerequisites?.map(({ name }) => name) ?? []);
    expect(after[0]).to.deep.equal([]);
    for (const names of after.slice(1, 5)) expect(names).to.deep.equal(["acme-shard-01-of-32"]);
    for (const names of after.slice(5))
      expect(names).to.deep.equal(stacks.slice(1, 5).map(({ metadata }) => metadata.name));
    expect(stacks[1]?.spec.prerequisites?.[0]?.requirement).to.deep.equal({ succeededWithinDuration: "30m" });
  });

  it("leave devices and state as they are when a Stack is deleted", () => {
    for (const { spec } of made(10, 2).stacks) expect(spec.destroyOnFinalize).to.equal(false);
  });

  it("take tokens from a secret by name, of the backend that is used", () => {
    const keys = (organization?: string) =>
      Object.keys(made(1, 1, organization ? { organization } : {}).stacks[0]?.spec.envRefs ?? {});
    const always = ["SOLAR_CHARGING_BASE_URL", "SOLAR_CHARGING_ACCESS_TOKEN"];
    expect(keys()).to.deep.equal([...always, "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"]);
    expect(keys("acme-corp")).to.deep.equal([...always, "PULUMI_ACCESS_TOKEN"]);
    expect(made(1, 1, { organization: "acme-corp" }).stacks[0]?.spec.stack).to.equal("acme-corp/acme/shard-1-of-1");
  });

  it("take from it what the other pipelines take from variables, where it is there", () => {
    const { stacks, text } = made(1, 1);
    const optional = ["SOLAR_CHARGING_BUSINESS_ID", "SOLAR_CHARGING_INVERTER_FIELDS"];
    expect(stacks[0]?.spec.workspaceTemplate.spec.env).to.deep.equal(
      optional.map((name) => ({
        name,
        valueFrom: { secretKeyRef: { name: "solar-charging", key: name, optional: true } },
      })),
    );
    const [header] = text("operator/stacks.yaml").split(/^[^#]/m);
    for (const name of optional) expect(header).to.contain(name);
  });

  it("have a project of the fleet's name, and a program that is the shard of its stack", () => {
    const { text } = made(1, 1);
    expect(parse(text("operator/Pulumi.yaml"))).to.deep.equal({
      name: "acme",
      runtime: { name: "nodejs", options: { typescript: false } },
      main: "index.js",
    });
    expect(text("operator/index.js")).to.contain('join(__dirname, "..", "fleets/acme.yaml");');
    expect(text("operator/index.js")).to.contain('new FleetSettings("acme", { manifest, shard: getStack() });');
    expect(JSON.parse(text("operator/package.json")).dependencies).to.deep.equal({ "pulumi-solar-charging": "1.2.3" });
  });

  it("have names that Kubernetes takes, whatever the fleet is called", () => {
    for (const { metadata } of made(10, 4, { fleet: `My_Fleet.${"x".repeat(60)}` }).stacks) {
      expect(metadata.name).to.match(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])$/);
    }
  });
});
