import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { PACKAGE } from "../package";
import type { Status } from "./model";
import { minuteOf, readyInWords } from "./words";

/** The bundled page, made by scripts/bundle.mjs. */
function bundled(name: "page.js" | "page.css"): string {
  return readFileSync(join(PACKAGE, "dist", "cli", "status", name), "utf8");
}

/**
 * The report as one file that loads nothing else: its policy forbids requests, and foreign scripts and styles. The
 * data is compressed and in base64, so that no name in it can end an element.
 */
export function htmlOf(status: Status): string {
  const script = bundled("page.js").replaceAll("</script", "<\\/script").trim();
  const style = bundled("page.css").trim();
  const data = deflateRawSync(JSON.stringify(status)).toString("base64");
  const title = escaped(`${status.name}: ${readyInWords(status.counts)}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="page">
<main><h1>${title}</h1><p>As of ${escaped(minuteOf(status.time))}.</p>
<noscript><p>The rest of this report needs JavaScript, which this browser does not run. It sends nothing anywhere.</p></noscript></main>
</div>
<script type="application/octet-stream" id="data">${data}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
}
