import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { InverterSettings, VehicleSettings } from "../../provider";
import { servers } from "../support/server";
import { mockedEngine, registered } from "./mocks";

const CAR = { body: '{"dev_type":"Electric vehicle","max_capacity":60000}' };

describe("A program with livePreview", () => {
  const serve = servers();
  afterEach(() => {
    pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, "");
    pulumi.runtime.setAllConfig({});
  });

  for (const [operation, isPreview] of [
    ["a preview", true],
    ["an update", false],
  ] as const) {
    describe(`in ${operation}`, () => {
      const engine = mockedEngine({ isPreview });

      /**
       * Runs a program with a service that has one car.
       * @returns the results of live previews that each resource's check gets
       */
      const run = async (
        program: () => pulumi.Resource[],
        config: Record<string, string> = { livePreview: "true" },
      ) => {
        const server = await serve(CAR);
        const common = { baseUrl: server.url, businessId: "acme", accessToken: "t0ken", ...config };
        pulumi.runtime.setAllConfig(
          Object.fromEntries(Object.entries(common).map(([key, value]) => [`solar-charging:${key}`, value])),
        );
        const resources: pulumi.Resource[] = [];
        await pulumi.runtime.runInPulumiStack(async () => {
          resources.push(...program());
        });
        await Promise.all(resources.map(registered));
        const told = engine.asked.flatMap(({ name, inputs }) =>
          // With results, the input is a secret: a preview prints inputs, and the service can report a secret value.
          inputs.__program ? [[name, Object.values((inputs.__program.value ?? inputs.__program).live ?? {})[0]]] : [],
        );
        return { live: Object.fromEntries(told), requests: server.received.length };
      };

      const twice = () => [
        new VehicleSettings("metadata", { deviceId: "car", maxCapacity: 77_000 }),
        new VehicleSettings("policy", { deviceId: "car", businessId: "acme", policy: "CHARGE BY" }),
      ];

      if (!isPreview) {
        it("reads nothing", async () => {
          expect(await run(twice)).to.deep.equal({ live: { metadata: undefined, policy: undefined }, requests: 0 });
        });
        return;
      }

      it("reads a device once, and warns each of its resources", async () => {
        const live = { values: { maxCapacity: 60_000 } };
        expect(await run(twice)).to.deep.equal({ live: { metadata: live, policy: live }, requests: 1 });
      });

      it("warns a resource that its device is of another type", async () => {
        const { live } = await run(() => [new InverterSettings("roof", { deviceId: "car", tilt: 35 })]);
        expect(live.roof.problem).to.include({ code: "otherKind", device: "device 'car' of business 'acme'" });
      });

      it("reads neither a device that is only read, nor one with an unknown id", async () => {
        const { live, requests } = await run(() => [
          VehicleSettings.get("theirs", "acme/car"),
          new VehicleSettings("later", { deviceId: pulumi.output(pulumi.unknown as unknown as string) }),
        ]);
        expect(Object.keys(live)).to.deep.equal(["later"]);
        expect(requests).to.equal(0);
      });

      for (const none of [{}, { livePreview: "false" }]) {
        it(`reads nothing with ${JSON.stringify(none)}`, async () => {
          expect(await run(twice, none)).to.deep.equal({
            live: { metadata: undefined, policy: undefined },
            requests: 0,
          });
        });
      }
    });
  }
});
