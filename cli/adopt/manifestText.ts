import { Document } from "yaml";
import { grouped } from "../grouped";
import { Names } from "./names";
import { type Adopted, commentOf, look, type ManifestText, siteNode, toldOf, yamlOf } from "./nodes";

const HEAD = `
What the service's cache shows of these devices. Numbers are in Wh, W and degrees. A comment at the end of a device names
each setting that is not shown, or that somebody has to look at: nothing of it is declared, or sent, unless a default is added.`;

/** Writes the manifest of adopted devices, in the order in which they are given. @param businessId of the fleet */
export function manifestText(fleet: string, businessId: string | undefined, devices: readonly Adopted[]): ManifestText {
  const document = new Document({ fleet, ...(businessId !== undefined && { businessId }) });
  document.commentBefore = commentOf(HEAD);
  const looked = look(devices);
  const place = { businessId, names: new Names() };
  const sites = [...grouped(devices, ({ device }) => device.site)].map(([id, members]) =>
    siteNode(id, members, looked, place),
  );
  document.set("sites", document.createNode(sites));
  return { text: yamlOf(document), ...toldOf(looked) };
}
