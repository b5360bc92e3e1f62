import { useEffect, useState } from "preact/hooks";
import { CONDITIONS } from "../conditions";
import type { Status } from "../model";
import { type Filter, SHOWS, type Show } from "./filter";

/** The visible part of the report. It is in the fragment of the address, so that a link to it can be shared. */
type Route = { readonly page: "overview"; readonly filter: Filter } | ({ readonly page: "site" | "device" } & Named);

/** A site or a device of a stack. */
interface Named {
  readonly stack: string;
  readonly name: string;
}

/** The properties of the page of a site or a device. */
export type PageProps = Named & { readonly status: Status };

function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, stack, name] = path.split("/").map(decoded);
  if ((page === "site" || page === "device") && stack !== undefined && name !== undefined) return { page, stack, name };
  const given = new URLSearchParams(query);
  const show = (Object.keys(SHOWS) as Show[]).find((one) => one === given.get("show")) ?? "all";
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

/** The current route, updated when the address changes. */
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
    return part; // The address is damaged.
  }
}
