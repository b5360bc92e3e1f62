import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { htmlOf } from "../../../cli/status/html";
import type { Status } from "../../../cli/status/model";
import { deviceOf } from "../../../measure/results/device";
import type { BestDay } from "../../../measure/results/model";
import { givenBrowser, LONGEST } from "../../support/browser";
import { said } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";
import { servers } from "../../support/server";
import { device, largeStatus, site, statusWith } from "../../support/statuses";

const AXE = readFileSync(createRequire(__filename).resolve("axe-core/axe.min.js"), "utf8");

/** The parts of the page that can be scrolled sideways. */
const SCROLLED = `[...document.querySelectorAll("*")]
  .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
  .map(({ outerHTML }) => outerHTML.slice(0, 80))`;

/** Names that contain markup, script or line breaks, or reverse the text around them. */
const HOSTILE = [
  `</script><script>document.title = "taken"</script>`,
  `<img src=x onerror="document.title = 'taken'">`,
  `"><a href="javascript:document.title='taken'">`,
  `{{constructor.constructor("document.title='taken'")()}}`,
  "\u202etxt.exe \u0000 ]]> <!--",
  "%3Cscript%3E/../#?&",
];

const GAP = { device: "inverter/roof-c", setting: "baseLoad" };
const BASELINE = { status: "verified", value: "CHARGE BY FORECAST", baseline: "CHARGE BY" } as const;
const DRIFTED = site("bonn", {
  observed: { verdict: "notReady", reasons: [{ device: "inverter/roof-bonn", setting: "azimuth", code: "drift" }] },
  devices: [
    device("inverter/roof-bonn", { drift: ["azimuth"], reported: { azimuth: 22.5 } }),
    device("vehicle/car-bonn", {
      // The widest table: three columns of values.
      settings: { policy: BASELINE },
      ownStatus: { optedOut: true, serviceStatus: "inactive_setup_incomplete", meaning: "Key setup is missing." },
    }),
  ],
});
const LACKING = site("cork", {
  ready: false,
  gaps: [{ ...GAP, reason: "notDeclared" }],
  observed: { verdict: "notReady", reasons: [{ ...GAP, code: "notDeclared" }] },
  devices: [device("inverter/roof-c", { declared: {}, reported: {} }), device("vehicle/car-c")],
});
const CHANGE = { time: "2026-11-20T10:00:00Z", by: "jane@desk", operation: "update", outcome: "accepted", run: "1" };
const FLEET = statusWith(
  [
    LACKING,
    DRIFTED,
    site("ames", {
      stack: "other-stack",
      devices: [device("vehicle/car", { updates: [{ ...CHANGE, settings: [{ key: "maxCapacity", to: 77_000 }] }] })],
    }),
  ],
  {
    devices: [device("vehicle/spare")],
    rollout: {
      time: CHANGE.time,
      outcome: "done",
      waves: [{ wave: "canary", stacks: 1, ok: 2, failed: 0, notDone: 0 }],
    },
  },
);

describe("the report's page, in a browser", () => {
  const given = givenBrowser();
  const path = temporaryFolder();
  const serve = servers();
  let page: Page;
  let problems: string[];
  let requests: string[];

  /** Opens a report from a file. */
  async function open(status: Status, hash = "", options: Parameters<typeof given.browser.newPage>[0] = {}) {
    writeFileSync(path("report.html"), htmlOf(status));
    page = await given.browser.newPage(options);
    page.setDefaultTimeout(LONGEST);
    problems = [];
    requests = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${pathToFileURL(path("report.html")).href}${hash}`);
    await page.waitForSelector("main h1[tabindex]");
  }
  afterEach(async () => {
    await page?.close();
  });

  const shownSites = () => page.locator(".grid tbody th a").allTextContents();
  /** Waits until these sites are shown. */
  async function shows(...sites: readonly string[]) {
    // waitForFunction would not wait: after its first try, the page's Content Security Policy refuses it.
    const isThere = async () => JSON.stringify(await shownSites()) === JSON.stringify(sites);
    for (let tries = 0; tries < 600 && !(await isThere()); tries++) await setTimeout(100);
    expect(await shownSites()).to.deep.equal(sites);
  }
  const signOf = (name: string, condition: string) =>
    page
      .locator(".grid tbody tr", { has: page.locator(`a:text-is("${name}")`) })
      .locator(`[aria-label^="${condition}:"]`);

  it("shows how many sites are ready, each condition of a site, drift and the last rollout, without a request", async () => {
    await open(FLEET);
    expect(await page.locator("h1").textContent()).to.equal("1 of 3 sites ready now (2 declared)");
    expect(await page.title()).to.equal("acme: 1 of 3 sites ready now (2 declared)");
    expect(await signOf("cork", "base load").getAttribute("aria-label")).to.contain("missing");
    expect(await signOf("bonn", "azimuth").getAttribute("aria-label")).to.contain("drifted");
    expect(await signOf("bonn", "tilt").getAttribute("aria-label")).to.contain("as declared");
    expect(await page.locator("section[aria-labelledby=drift] tbody tr").allInnerTexts()).to.have.length(1);
    expect(await page.locator(".waves li").allTextContents()).to.deep.equal(["canary2 ok"]);
    expect(requests).to.have.length(1);
    expect(problems).to.deep.equal([]);
  });

  it("shows what needs somebody first, shared drift as one line, and folds ready sites of a large fleet", async () => {
    const drifted = (name: string) =>
      site(name, {
        title: `${name} 1`,
        observed: { verdict: "notReady", reasons: [] },
        devices: [device(`vehicle/${name}`, { drift: ["policy"], reported: { policy: "CHARGE BY" } })],
      });
    const ready = Array.from({ length: 30 }, (_, index) => site(`ready-${index}`));
    await open(statusWith([...["a", "b", "c"].map(drifted), ...ready]));
    expect(await page.locator("section h2").allTextContents()).to.deep.equal(["Drift", "Sites and conditions"]);
    expect(await page.locator("section[aria-labelledby=drift] summary").allTextContents()).to.deep.equal([
      "3 cars: policy CHARGE BY FORECAST → CHARGE BY",
    ]);
    const visible = page.locator(".grid tbody th a").filter({ visible: true });
    expect(await visible.allTextContents()).to.deep.equal(["a 1", "b 1", "c 1"]);
    await page.locator("summary", { hasText: "30 ready sites" }).click();
    expect(await visible.allTextContents()).to.have.length(33);
  });

  it("shows what was measured of a roof, with its best day, and of a car", async () => {
    const measured = {
      name: "roof-bonn",
      ...{ verdict: "differs" as const, differs: ["azimuth" as const] },
      panels: { azimuth: "differs", tilt: "agrees", peakPower: "agrees" } as const,
      mistake: "azimuthFromSouth" as const,
      clearDays: 41,
      declared: { azimuth: 180, tilt: 35, peakPower: 9800 },
      measured: {
        azimuth: { value: 2, uncertainty: 9 },
        tilt: { value: 33, uncertainty: 5 },
        peakPower: { value: 9500, uncertainty: 1700 },
      },
      day: {
        date: "2025-06-01",
        ...Object.fromEntries(
          ["measured", "roof", "declared"].map((key, shift) => [
            key,
            Array.from({ length: 96 }, (_, i) => Math.max(0, 7000 * Math.sin(((i - 24 - 4 * shift) / 48) * Math.PI))),
          ]),
        ),
      } as BestDay,
      trend: {
        months: [],
        change: { since: "2025-06-14", share: { value: -0.33, uncertainty: 0.03 }, before: 14_200, after: 9500 },
      },
    };
    const car = deviceOf("car", {
      maxCapacity: {
        ...{ verdict: "agrees", from: "battery", until: "2025-09-20" },
        measured: { value: 65_100, uncertainty: 2100 },
      },
    });
    const devices = [device("inverter/roof-bonn", { measured }), device("vehicle/car", { measured: car })];
    await open(statusWith([site("bonn", { devices })]), "#/site/dev/bonn");
    const section = page.locator("section[aria-labelledby=measured]");
    expect(await section.innerText())
      .to.contain("measured 2° ± 9° (N)")
      .and.to.contain("41 clear days")
      .and.to.contain("Since 2025-06-14, the peak power is 33 % ± 3 % lower")
      .and.to.contain("Capacity 77 kWh, measured 65.1 ± 2.1 kWh: it differs.");
    expect(await section.locator("canvas").count()).to.equal(1);
    expect(problems).to.deep.equal([]);
  });

  it("has a page for each site: declared beside reported, what devices say, history, and the sun", async () => {
    await open(FLEET);
    await page.getByRole("link", { name: "bonn" }).first().click();
    await page.waitForSelector(".chart canvas");
    expect(await page.locator("h1").textContent()).to.equal("bonn");
    expect(await page.locator("tr.drift td").allTextContents()).to.include.members(["180° (S)", "22.5° (NNE)"]);
    expect(await page.locator(".alert").allTextContents()).to.deep.equal([
      "It is opted out",
      "The service is inactive for it (inactive_setup_incomplete): Key setup is missing.",
    ]);
    expect(await page.getByText(/ledger/i).count(), "without updates, there may be no ledger").to.equal(0);
    const sun = page.locator(".sun .plain tbody tr").first();
    const [declared, reported] = (await sun.locator("td").allTextContents()).slice(1, 3).map(Number.parseFloat);
    expect(declared).to.be.greaterThan(4 * (reported as number));
    await page.goBack();
    await page.getByRole("link", { name: "ames" }).first().click();
    await page.locator("summary").click();
    expect(await page.locator("details tbody").innerText())
      .to.contain("jane@desk")
      .and.contain("77 kWh");
    expect(problems).to.deep.equal([]);
  });

  it("names a device of a site that the manifest no longer declares", async () => {
    await open(statusWith([site("oslo", { leaving: [{ device: "acme/old", label: "vehicle/old" }] })]));
    await page.getByRole("link", { name: "oslo" }).first().click();
    expect(await page.getByText("vehicle/old").textContent()).to.contain("no longer declared");
  });

  it("finds and filters sites, and an address keeps the filter", async () => {
    await open(FLEET);
    await page.getByRole("searchbox").fill("CAR-BONN");
    await shows("bonn");
    await page.getByRole("searchbox").fill("OTHER-STACK");
    await shows("ames");
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Show").selectOption("notReady");
    await shows("cork", "bonn");
    await page.getByLabel("Without").selectOption("baseLoad");
    await shows("cork");
    expect(await page.locator("output").textContent()).to.equal("1 of 3 sites");
    expect(await page.locator("section h2").allTextContents()).not.to.include("Drift");
    const hash = new URL(page.url()).hash;
    await page.close();
    await open(FLEET, hash);
    await shows("cork");
  });

  it("works without a mouse: a site is reached, read and left by keys, and the focus follows", async () => {
    await open(FLEET);
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("bonn");
    await shows("bonn");
    for (let key = 0; key < 3; key++) await page.keyboard.press("Tab"); // Two selects come before the first site.
    await page.keyboard.press("Enter");
    await page.waitForSelector(".chart canvas");
    await page.locator("h1:focus").waitFor();
    const label = () => page.locator(".chart").getAttribute("aria-label");
    const march = await label();
    await page.getByRole("radio").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(`.chart:not([aria-label="${march}"])`).waitFor();
    await page.getByRole("link", { name: "All sites" }).focus();
    await page.keyboard.press("Enter");
    await shows("cork", "bonn", "ames");
  });

  it("counts a car that is opted out by its status alone, and gives the status a sign and a column of its own", async () => {
    const ownStatus = { serviceStatus: "inactive_opted_out", meaning: "The car is opted out." };
    await open(statusWith([DRIFTED, site("oslo", { devices: [device("vehicle/car", { ownStatus })] })]));
    expect(await page.locator(".tile", { hasText: "opted out" }).textContent()).to.equal("2 cars opted out");
    const row = page.locator(".grid tbody tr", { has: page.locator('a:text-is("oslo")') });
    expect(await row.locator('[data-label="Device status"] .sign').getAttribute("class")).to.equal("sign inactive");
    const left = async (name: string) =>
      (await page.locator(".grid thead th", { hasText: name }).boundingBox())?.x ?? 0;
    expect(await left("Device status")).to.be.below(await left("Cars"));
  });

  it("shows names that are markup or script as text, and runs none of it", async () => {
    const sites = HOSTILE.map((name) =>
      site(name, {
        warnings: [{ code: "azimuth-off-equator", finding: name }],
        gaps: [{ device: "site", setting: name, reason: "none" }],
        devices: [
          device(`vehicle/${name}`, {
            device: name,
            reported: { policy: name },
            drift: ["policy"],
            ownStatus: { serviceStatus: name, meaning: name, optedOut: true, optedOutUntil: name },
            problem: { code: "unread", finding: name },
            updates: [{ ...CHANGE, by: name, settings: [{ key: name, from: name, to: name }] }],
          }),
        ],
      }),
    );
    await open(
      statusWith(sites, {
        name: HOSTILE.join(" "),
        stackErrors: [{ stack: HOSTILE[0] as string, finding: HOSTILE[1] as string }],
      }),
    );
    await shows(...HOSTILE);
    for (const name of HOSTILE) {
      await page.goto(`${page.url().split("#")[0]}#/site/dev/${encodeURIComponent(name)}`);
      await page.locator("h1", { hasText: name }).waitFor();
      expect(await page.locator(".id").textContent()).to.equal(name);
    }
    expect(await page.title()).to.not.equal("taken");
    expect(await page.locator("img, a[href^=javascript]").count()).to.equal(0);
    expect(requests.every((url) => url.startsWith("file:"))).to.equal(true);
    expect(problems).to.deep.equal([]);
  });

  it("forbids each request, and scripts and styles that are not its own", async () => {
    const server = await serve({ headers: { "access-control-allow-origin": "*" } });
    await open(FLEET);
    const stopped = await page.evaluate(`(async () => {
      const isLoaded = (element) => new Promise((done) => {
        element.onload = () => done(true);
        element.onerror = () => done(false);
        document.body.append(element);
      });
      const script = Object.assign(document.createElement("script"), { textContent: "window.hasRun = true" });
      document.body.append(script);
      return {
        image: await isLoaded(Object.assign(new Image(), { src: "${server.url}/x.png" })),
        fetched: await fetch("${server.url}/").then(() => true, () => false),
        hasRun: "hasRun" in window,
      };
    })()`);
    expect(stopped).to.deep.equal({ image: false, fetched: false, hasRun: false });
    // The messages may arrive after the requests have failed.
    const refusals = () => problems.filter((problem) => problem.includes("Content Security Policy"));
    while (refusals().length < 3) await setTimeout(10);
    expect(server.received).to.deep.equal([]);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      it(`has nothing that axe finds, and nothing beside the screen, ${colorScheme}, ${width} pixels wide`, async () => {
        for (const hash of [
          "",
          "#/site/dev/bonn",
          "#/site/dev/cork",
          "#/device/dev/vehicle%2Fspare",
          "#/site/dev/none",
        ]) {
          await open(FLEET, hash, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
          await page.evaluate(AXE);
          const found = await page.evaluate(
            "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))",
          );
          expect(found, hash).to.deep.equal([]);
          expect(await page.evaluate("document.documentElement.scrollWidth"), hash).to.be.at.most(width);
          // Content of a part that scrolls sideways is as hidden as that of a page that does.
          expect(await page.evaluate(SCROLLED), hash).to.deep.equal([]);
          await page.close();
        }
      });
    }
  }

  it("counts the values that may be wrong, and shows the date of a change in one line", async () => {
    await open(
      statusWith([
        site("ames", {
          warnings: [said("one")],
          devices: [device("vehicle/car", { warnings: [said("two")], updates: [{ ...CHANGE, settings: [] }] })],
        }),
      ]),
      "",
      { viewport: { width: 1000, height: 800 } },
    );
    expect(await page.locator(".grid tbody .note").textContent()).to.equal("2 values may be wrong");
    const isOneLine = `(() => {
      const range = document.createRange();
      const [text] = document.querySelector(".change").childNodes;
      range.setStart(text, 0);
      range.setEnd(text, "2026-11-20".length);
      return range.getClientRects().length === 1;
    })()`;
    expect(await page.evaluate(isOneLine)).to.equal(true);
  });

  it("is printed with all sites, light, and without what only a screen has", async () => {
    await open(largeStatus(400), "", { colorScheme: "dark" });
    expect(await shownSites()).to.have.length.below(400);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).to.equal("rgb(255, 255, 255)");
    expect(await page.getByRole("searchbox").isVisible()).to.equal(false);
    // On A4 it is a table, in which the names of sites have room, and not a list as on a phone.
    await page.setViewportSize({ width: 718, height: 1020 });
    expect(await page.locator(".grid thead").first().isVisible()).to.equal(true);
    expect((await page.locator(".grid tbody th").first().boundingBox())?.width).to.be.at.least(80);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).to.equal("%PDF-");
    expect(await page.locator(".grid tbody th a").filter({ visible: true }).count()).to.equal(400);
  });

  it("opens 10,000 devices, from a file of less than 5 MB", async () => {
    const status = largeStatus(2000);
    expect(htmlOf(status).length).to.be.lessThan(5_000_000);
    await open(status);
    await page.getByRole("searchbox").fill("site-1999");
    await shows("site-1999");
  });
});
