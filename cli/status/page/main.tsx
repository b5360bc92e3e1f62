import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Status } from "../model";
import { minuteOf } from "../words";
import { DevicePage } from "./device";
import { Overview } from "./overview";
import { useRoute } from "./route";
import { SitePage } from "./site";

import "uplot/dist/uPlot.min.css";
import "./styles/index.css";

const page = document.getElementById("page") as HTMLElement;

loadStatus().then(
  (status) => {
    page.textContent = "";
    render(<App status={status} />, page);
  },
  () => {
    const note = document.createElement("p");
    note.textContent = "This browser is too old for the rest of this report: use a browser of 2023 or later.";
    page.append(note);
  },
);

/** The status in the report. @throws Error in a browser that cannot decompress it */
async function loadStatus(): Promise<Status> {
  const encoded = document.getElementById("data")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** The whole report: the overview, or the page of one site or device. */
export function App({ status }: { readonly status: Status }) {
  const route = useRoute();
  const isFirst = useRef(true);
  const key = route.page === "overview" ? "overview" : `${route.page} ${route.stack} ${route.name}`;
  // After a link, keyboard and screen reader users start at the top of the new content.
  useEffect(() => {
    const isStart = isFirst.current;
    isFirst.current = false;
    if (isStart) return;
    scrollTo(0, 0);
    document.querySelector("h1")?.focus();
  }, [key]);
  return (
    <>
      <main>
        {route.page === "overview" && <Overview status={status} filter={route.filter} />}
        {route.page === "site" && <SitePage status={status} {...route} />}
        {route.page === "device" && <DevicePage status={status} {...route} />}
      </main>
      <footer>
        <p>
          {status.isOffline
            ? `From the state alone (${minuteOf(status.time)}): values of the last update or refresh.`
            : `Read from the service's cache at ${minuteOf(status.time)}.`}{" "}
          This file makes no request.
        </p>
      </footer>
    </>
  );
}
