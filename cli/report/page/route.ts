import { useEffect, useState } from "preact/hooks";
import { CONDITIONS } from "../conditions";
import { type Filter, SHOWS } from "./filter";

/** What of the report is shown, by the fragment of its address: a link to it can be kept and sent. */
export type Route =
  | { readonly page: "overview"; readonly filter: Filter }
  | { readonly page: "site" | "device"; readonly stack: string; readonly name: string };

export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, stack, name] = path.split("/").map(decoded);
  if ((page === "site" || page === "device") && stack !== undefined && name !== undefined) return { page, stack, name };
  const given = new URLSearchParams(query);
  const show = SHOWS.find(({ value }) => value === given.get("show"))?.value ?? "all";
  const lacks = CONDITIONS.find(({ key }) => key === given.get("lacks"))?.key ?? "";
  return { page: "overview", filter: { text: given.get("q") ?? "", show, lacks } };
}

export function hrefOf(page: "site" | "device", stack: string, name: string): string {
  return `#/${page}/${encodeURIComponent(stack)}/${encodeURIComponent(name)}`;
}

export function hrefOfFilter({ text, show, lacks }: Partial<Filter>): string {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(show && show !== "all" && { show }),
    ...(lacks && { lacks }),
  }).toString();
  return query === "" ? "#/" : `#/?${query}`;
}

/** The route now. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return routeOf(hash);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // Somebody has cut the address.
  }
}
