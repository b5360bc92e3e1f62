// Says of each device that a stack declares that it is as declared: node fakeEvents.js tcp://<address> <file of the stack>
import { readFileSync } from "node:fs";
import { credentials } from "@grpc/grpc-js";
import { EventsClient } from "@pulumi/pulumi/proto/events_grpc_pb";
import { EventRequest } from "@pulumi/pulumi/proto/events_pb";
import { toManifest } from "../../../provider/manifest/manifest";

const [address = "", file = ""] = process.argv.slice(2);
const { sites } = toManifest(JSON.parse(readFileSync(file, "utf8")));
const client = new EventsClient(address.replace("tcp://", ""), credentials.createInsecure());
const stream = client.streamEvents(() => client.close());
for (const { id, vehicles } of sites) {
  const type = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";
  const devices = Object.values(vehicles ?? {}).map(({ deviceId }) => [deviceId, { businessId: "acme", deviceId }]);
  const inputs = { site: id, solar: false, vehicles: Object.fromEntries(devices), inverters: {} };
  const metadata = { op: "same", urn: `urn:pulumi:a::acme::${type}::${id}`, type, new: { inputs, outputs: {} } };
  stream.write(new EventRequest().setEvent(JSON.stringify({ resOutputsEvent: { metadata } })));
}
stream.write(new EventRequest().setEvent(JSON.stringify({ summaryEvent: { resourceChanges: {} } })));
stream.end();
