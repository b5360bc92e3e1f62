import { expect } from "chai";
import { misspelled } from "../../../provider/configuration/configurationKeys";
import { expectLike } from "../../support/facts";

describe("misspelled configuration", () => {
  it("is reported with the probable key, of the stack and of the environment", () => {
    expectLike(
      misspelled(["solar-charging:maxConcurency", "solar-charging:baseUrl"], { SOLAR_CHARGING_ACCESSTOKEN: "t" }).map(
        ({ finding }) => finding,
      ),
      [
        "solar-charging:maxConcurency …solar-charging:maxConcurrency?",
        "SOLAR_CHARGING_ACCESSTOKEN …SOLAR_CHARGING_ACCESS_TOKEN?",
      ],
    );
  });

  it("is reported for a part of the name, if that is not set", () => {
    const found = (environment: NodeJS.ProcessEnv) =>
      misspelled(["solar-charging:file"], environment).map(({ finding }) => finding);
    expectLike(found({ SOLAR_CHARGING_URL: "u", SOLAR_CHARGING_LEDGER: "f" }), [
      "solar-charging:file …solar-charging:ledgerFile?",
      "SOLAR_CHARGING_URL …SOLAR_CHARGING_BASE_URL?",
      "SOLAR_CHARGING_LEDGER …SOLAR_CHARGING_LEDGER_FILE?",
    ]);
    expect(found({ SOLAR_CHARGING_URL: "u", SOLAR_CHARGING_BASE_URL: "u" })).to.have.length(1);
  });

  it("is reported for each unknown key of a stack, also beside the one that it is called like", () => {
    const keys = ["solar-charging:baseUrl", "solar-charging:baseUrl2", "solar-charging:fleetOwner"];
    const found = (project?: string) => misspelled(keys, {}, project).map(({ finding }) => finding);
    expectLike(found("home"), ["solar-charging:baseUrl2 …solar-charging:baseUrl?", "solar-charging:fleetOwner …"]);
    // These may be the project's own.
    expect(found("solar-charging")).to.deep.equal([]);
  });

  const quiet: Record<string, [keys: string[], environment: NodeJS.ProcessEnv]> = {
    "what is known": [["solar-charging:ledgerFile"], { SOLAR_CHARGING_LEDGER_FILE: "f" }],
    "other namespaces": [["aws:baseUr", "baseUr"], { BASE_UR: "x", AWS_SOLAR_CHARGING_BASEURL: "x" }],
    "a variable that is called like nothing": [[], { SOLAR_CHARGING_WAVE: "canary" }],
    "a variable beside the one that it is called like": [
      [],
      { SOLAR_CHARGING_BASE_URL: "x", SOLAR_CHARGING_BASE_URL_2: "x" },
    ],
    "an empty variable": [[], { SOLAR_CHARGING_BASEURL: "" }],
  };
  for (const [what, [keys, environment]] of Object.entries(quiet)) {
    it(`is not ${what}`, () => expect(misspelled(keys, environment)).to.deep.equal([]));
  }
});
