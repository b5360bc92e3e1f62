import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type MarkdownOptions } from "vitepress";
import { repositoryOf } from "../../scripts/repository";
import { addressOf, anchorOf, linkOnSite, REGISTRY, withTabs } from "../../scripts/site";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (file: string) => JSON.parse(readFileSync(resolve(ROOT, file), "utf8"));
const manifest = read("package.json");
const repository = repositoryOf(manifest);

/** The pages of the API reference, which TypeDoc lists. */
const API = "docs/api/typedoc-sidebar.json";

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      page("What it is", "/"),
      page("Getting started", "/getting-started"),
      page("Concepts", "/concepts"),
      page("Drift and delete", "/drift"),
      page("All pages and words", "/pages"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("Resources and functions", "/resources"),
      page("Settings and warnings", "/settings"),
      page("Configuration and credentials", "/configuration"),
      page("Every Pulumi language", "/languages"),
      page("Simulator", "/simulator-reference"),
      page("Measuring package", "/measure-package"),
      page("Policy pack", "/policy-pack"),
      page("API", "/api/"),
    ],
  },
  {
    text: "Changes and fleets",
    items: [
      page("Reviewing changes", "/reviewing"),
      page("Pipelines", "/pipelines"),
      page("Measuring cars", "/measuring"),
      page("Roof and sun", "/roof"),
      page("Fleets", "/fleets"),
      page("Large fleets", "/large-fleets"),
      page("Pipelines of fleets", "/fleet-pipelines"),
      page("Adopting", "/adopting"),
    ],
  },
  {
    text: "Operating",
    items: [
      page("Status and report", "/status"),
      page("Recovery", "/recovery"),
      page("Ledger", "/ledger"),
      page("Data and baselines", "/data"),
      page("Troubleshooting", "/troubleshooting"),
    ],
  },
  {
    text: "Internals",
    collapsed: true,
    items: [
      page("Measurements", "/performance"),
      page("Security", "/security"),
      page("Contributing", "/contributing"),
      page("Code of conduct", "/code-of-conduct"),
      page("Changelog", "/changelog"),
    ],
  },
];

/** Nothing is loaded from another host: the browser enforces it. Vue and the theme have inline scripts and styles. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
].join("; ");

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><g stroke='%23c77700' stroke-width='3' " +
  "stroke-linecap='round'><path d='M16 2v4M16 26v4M2 16h4M26 16h4M6 6l3 3M23 23l3 3M6 26l3-3M23 9l3-3'/></g>" +
  "<circle cx='16' cy='16' r='7' fill='%23f5a623'/></svg>";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Pages are written for GitHub and npm: links and pictures are relative to their files, and programs of other languages are folded. */
function pagesOfFiles(md: MarkdownIt): void {
  md.core.ruler.before("normalize", "tabs", (state) => {
    state.src = withTabs(state.src);
  });
  md.core.ruler.push("links-of-files", ({ tokens, env }) => {
    const path = env?.realPath ?? env?.path; // Absent for the title of a page alone.
    const file = path && relative(ROOT, path);
    if (!file || file.startsWith("docs/api/")) return;
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (token.type === "html_block" || token.type === "html_inline") {
        token.content = token.content.replace(/ src="(?![a-z]+:|\.)/g, ' src="./');
      }
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || token.attrGet("class") === "header-anchor") continue;
      token.attrSet("href", linkOnSite(file, href, { root: ROOT, repository }));
    }
  });
}

export default defineConfig({
  title: "Solar Charging",
  description: manifest.description,
  lang: "en",
  srcDir: ROOT,
  srcExclude: [...REGISTRY, "skills/**", "coverage/**", "test/**"],
  rewrites: (file) => addressOf(file) ?? file,
  outDir: resolve(ROOT, ".local/site"),
  cacheDir: resolve(ROOT, ".local/vitepress"),
  cleanUrls: true,
  head: [
    ["meta", { "http-equiv": "Content-Security-Policy", content: POLICY }],
    ["link", { rel: "icon", href: ICON }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    config: pagesOfFiles,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/getting-started" },
      { text: "Reference", link: "/resources" },
      { text: "API", link: "/api/" },
      { text: "Troubleshooting", link: "/troubleshooting" },
    ],
    sidebar: { "/": SIDEBAR, ...(existsSync(resolve(ROOT, API)) && { "/api/": read(API) }) },
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: "Previous", next: "Next" },
    socialLinks: [{ icon: "github", link: repository }],
    footer: { message: "Apache 2.0" },
  },
});
