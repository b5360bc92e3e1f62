import type { Status } from "../../status/model";

/** The status that the report was made of. @throws Error in a browser that cannot decompress it */
export async function loadStatus(): Promise<Status> {
  const encoded = document.getElementById("data")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}
