import { render } from "preact";
import { App } from "./app";
import { loadStatus } from "./load";
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
    note.textContent = "This browser is too old to open the rest of this report: it needs one of 2023 or later.";
    page.append(note);
  },
);
