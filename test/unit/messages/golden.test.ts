import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { micromark } from "micromark";
import { failedBy, lineOf } from "../../../cli/doctor/check";
import { AT_COMMAND_LINE } from "../../../cli/environment";
import { prose } from "../../../cli/markdown";
import { BESIDE_DEVICE } from "../../../cli/stacks/outcome";
import { readConfiguration } from "../../../provider/configuration/configuration";
import type { ConfigurationError } from "../../../provider/configuration/error";
import { parseManifest } from "../../../provider/manifest/manifest";
import type { ManifestError } from "../../../provider/manifest/report";
import { MESSAGE_CODES } from "../../../provider/messages/codes";
import { type Message, MessageError, problemOf, textOf } from "../../../provider/messages/message";
import { IN_STACK } from "../../../provider/messages/names";
import { inverter } from "../../../provider/settings/inverter";
import { problemsOf } from "../../../provider/settings/schema";
import type { DeviceKind } from "../../../provider/settings/setting";
import { deviceProblems, siteProblems } from "../../../provider/settings/site";
import { vehicle } from "../../../provider/settings/vehicle";
import { like } from "../../support/facts";
import { thrownBy } from "../../support/failure";
import { ROOT } from "../../support/project";
import { REFUSED_YAML } from "../manifest/refused";
import { WRONG_INPUTS, wrongManifest } from "../manifest/wrongInputs";
import { SAMPLES } from "./samples";

const GOLDEN = join(ROOT, "test", "unit", "messages", "golden.md");
const ABOUT =
  "# Every message\n\nAs the engine shows it. golden.test.ts writes this file with UPDATE_GOLDEN=1. Read the difference before you " +
  "commit it.\n\n";

const PLANE = { peakPower: 5000, azimuth: 90, tilt: 30 };

/** Configuration with one mistake each. */
const MISCONFIGURED: readonly (readonly [key: string, value: string])[] = [
  ...["api.example.com", "https://api.example.com?key=1", "https://ann@api.example.com", "http://api.example.com"].map(
    (url) => ["baseUrl", url] as const,
  ),
  ["accessToken", "Bearer t0ken"],
  ["tokenCommand", " "],
  ["oauthClientId", "a\nb"],
  ["oauthClientSecret", "a\nb"],
  ["oauthScope", "a  b"],
  ...["tilt", "[]", '{"tilt":""}', '{"tilt":5}', '{"tilt":"policy"}', '{"tilt":"a","azimuth":"a"}'].map(
    (fields) => ["inverterFields", fields] as const,
  ),
  ["maxConcurrency", "0"],
  ["maxConcurrency", "1.5"],
  ["allowGone", "1"],
  ["ledgerFile", "a\nb"],
];

/** Inputs with one mistake each. */
const REFUSED: readonly (readonly [DeviceKind, Readonly<Record<string, unknown>>])[] = [
  ...["77000", "77,5 kWh", "77 kW", "7 bar", "x", null, [77_000], 77, 77_000_000].map(
    (maxCapacity) => [vehicle, { maxCapacity }] as const,
  ),
  ...["ssw", "180", null, -90, 361, {}, { degrees: 200, convention: "south-zero" }, { degrees: 5, tilt: 3 }].map(
    (azimuth) => [inverter, { azimuth }] as const,
  ),
  ...["", " car", "a\nb", "a\u200bb", "..", "a\ud800b", "x".repeat(257), 5].map(
    (deviceId) => [vehicle, { deviceId }] as const,
  ),
  ...["charge by", 1].map((policy) => [vehicle, { policy }] as const),
  [inverter, { peakPower: 0.5 }],
  [inverter, { tilt: 91 }],
  [inverter, { latitude: 91 }],
  [inverter, { peakPower: 5000, cutInThreshold: 6000 }],
  [inverter, { peakPower: 900, cutInThreshold: 6000 }],
  [inverter, { onDelete: "reset" }],
  ...["E", [], Array(13).fill(PLANE), [7], [{ ...PLANE, tilt: undefined }], [{ ...PLANE, azimut: 1 }]].map(
    (planes) => [inverter, { planes }] as const,
  ),
  [inverter, { planes: [PLANE], azimuth: 90, tilt: 30 }],
  [inverter, { planes: Array(12).fill({ ...PLANE, peakPower: 900_000 }) }],
  [vehicle, { ignoreLints: "flat-tilt" }],
  [vehicle, { max_capacity: 1 }],
];

/** Arguments of sites, and of devices in a site, with one mistake each. */
const REFUSED_OF_SITES: readonly Readonly<Record<string, unknown>>[] = [
  { solar: "yes" },
  { vehicles: ["car"] },
  { vehicles: { car: "car-7" } },
  { vehicles: { constructor: { deviceId: "car-7" } } },
  { inverter: {} },
];
const REFUSED_IN_SITES: readonly Readonly<Record<string, unknown>>[] = [
  { deviceId: "roof", observe: true, tilt: 30 },
  { deviceId: "roof", latitude: 48 },
  { deviceId: "roof", observe: "yes" },
];

function golden(): string {
  const lines = MESSAGE_CODES.flatMap((code) => SAMPLES[code]().map((message) => `- ${code}: ${textOf(message)}`));
  const refusals = REFUSED.flatMap(([kind, inputs]) =>
    // A copy of a kind has no cached schema, so that the words are made now.
    problemsOf({ ...kind }, { deviceId: "car", businessId: "acme", ...inputs }, new Set()).map(
      ({ property, reason }) =>
        `- ${property} ${JSON.stringify(property in inputs ? inputs[property] : inputs).slice(0, 50)}: ${reason}`,
    ),
  );
  const ofSites = REFUSED_OF_SITES.flatMap((site) =>
    siteProblems(site).map(({ path, reason }) => `- ${path.join(".")} ${JSON.stringify(site).slice(0, 50)}: ${reason}`),
  );
  const ofDevices = REFUSED_IN_SITES.flatMap((given) =>
    deviceProblems(given, []).map(({ property, reason }) => `- ${property} ${JSON.stringify(given)}: ${reason}`),
  );
  const misconfigured = MISCONFIGURED.flatMap(([key, value]) => {
    const { problems } = thrownBy(() =>
      readConfiguration((one) => (one === key ? value : undefined), {}),
    ) as ConfigurationError;
    const wrong = problems.filter(({ code }) => code === "notUsable");
    return wrong.map((problem) => `- ${key} ${JSON.stringify(value)}: ${textOf(problem)}`);
  });
  const manifests = REFUSED_YAML.flatMap(([, text]) =>
    thrownBy(() => parseManifest(text, "acme.yaml"))
      .message.split("\n")
      .map((line) => `- ${line}`),
  );
  const wrong = WRONG_INPUTS.map((one) => {
    const { problems } = thrownBy(() => parseManifest(...wrongManifest(one))) as ManifestError;
    return `| ${one[0]} | \`${one[1]}\` | ${problems[0]?.message} |`;
  });
  const all = [
    ...lines.map((line) => line.replaceAll("\n", "\n  ")),
    "",
    "## Configuration that is refused",
    "",
    ...misconfigured,
    "",
    "## Inputs that are refused",
    "",
    ...refusals,
    ...ofSites,
    ...ofDevices,
    "",
    "## Manifests that are refused",
    "",
    ...manifests,
    "",
    "## What people write wrong, and what they get",
    "",
    "| place | written | message |",
    "|---|---|---|",
    ...wrong,
  ];
  return `${ABOUT}${all.join("\n")}\n`;
}

describe("messages", () => {
  it("have the words of golden.md", () => {
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, golden());
    expect(existsSync(GOLDEN) && readFileSync(GOLDEN, "utf8")).to.equal(golden());
  });

  for (const code of MESSAGE_CODES) {
    it(`of the code ${code} are made by the provider, leave no placeholder open, and end each sentence once`, () => {
      const messages = SAMPLES[code]();
      expect(messages).to.not.deep.equal([]);
      for (const message of messages) {
        expect(message.code).to.equal(code);
        const { extract: _, ...own } = message;
        for (const audience of [{}, BESIDE_DEVICE]) {
          expect(textOf(own, audience)).to.not.match(/\{\w+\??\}|[.?!]\.(\s|$)/);
        }
      }
    });
  }

  // Without the two codes about names that a user has chosen.
  it("name no stack's configuration at the command line", () => {
    const texts = MESSAGE_CODES.filter((code) => !["misspelled", "severalCredentials"].includes(code)).flatMap((code) =>
      SAMPLES[code]().map((message) => textOf(message, BESIDE_DEVICE)),
    );
    expect(texts.filter((text) => text.includes("solar-charging:"))).to.deep.equal([]);
  });
});

describe("a message", () => {
  const message: Message = {
    code: "notAllowed",
    finding: "{baseUrl} refuses {device}",
    advice: "Set {baseUrl?}",
    device: "vehicle/car",
    keys: ["baseUrl"],
    extract: "<b>",
  };

  it("has the names of the stack, and its device, for the engine", () => {
    const text = `solar-charging:baseUrl refuses vehicle/car, "<b>". Set ${IN_STACK.allOf("baseUrl")}`;
    expect(textOf(message)).to.equal(text);
    expect(new MessageError(message).message).to.equal(text);
  });

  it("names its device in front, if its words do not", () => {
    expect(textOf({ code: "timeout", finding: "late", device: "vehicle/car" })).to.equal("vehicle/car: late");
  });

  it("has the names of the environment, and its advice on a line of its own, at the terminal", () => {
    const lines = lineOf(failedBy("doctor", message, AT_COMMAND_LINE)).split("\n");
    expect(lines).to.deep.equal([
      '✗ doctor: SOLAR_CHARGING_BASE_URL refuses vehicle/car, "<b>"',
      "    Set SOLAR_CHARGING_BASE_URL",
    ]);
  });

  it("names the commands of a fleet to its operators, whose programs no 'pulumi up' has", () => {
    const all = Object.values(SAMPLES).flatMap((samples) => samples());
    const texts = all.map((one) => [textOf(one), textOf(one, BESIDE_DEVICE)] as const);
    const ofRun = texts.filter(([inStack]) => inStack.includes('"pulumi up" sets'));
    expect(ofRun).to.have.length(1);
    for (const [, inFleet] of ofRun) expect(inFleet).to.contain('"fleet up" sets');
    expect(texts.flat().filter((text) => text.includes("{pulumi}"))).to.deep.equal([]);
  });

  it("does not name the device that it is shown beside", () => {
    expect(textOf(message, BESIDE_DEVICE)).to.match(
      like('SOLAR_CHARGING_BASE_URL refuses …, "<b>". Set SOLAR_CHARGING_BASE_URL'),
    );
    expect(textOf(message, BESIDE_DEVICE)).to.not.contain("vehicle/car");
  });

  it("has no markup in Markdown, whatever the service says", () => {
    const markdown = prose(textOf({ ...message, extract: "<b> | `x` @team #1" }, BESIDE_DEVICE));
    expect(micromark(markdown, { allowDangerousHtml: true })).to.not.contain("<b>");
  });

  it("is the problem of an error with it, with all its fields; any other error has none", () => {
    expect(problemOf(new MessageError(message))).to.equal(message);
    expect(problemOf(new Error("x"))).to.deep.equal({ code: "internal", finding: "x" });
  });
});
