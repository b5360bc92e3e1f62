import { render } from "preact";
import type { Status } from "../model";
import { App } from "./app";
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
