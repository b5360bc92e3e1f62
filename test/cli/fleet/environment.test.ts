import { resolve } from "node:path";
import { expect } from "chai";
import { absolutePaths, destinationOf, serviceHost } from "../../../cli/stacks/environment";

describe("cli fleet: the environment of the engines", () => {
  it("has the files that are named relative to the folder of the command by their whole paths", () => {
    const named = {
      SOLAR_CHARGING_LEDGER_FILE: "ledger.jsonl",
      SOLAR_CHARGING_ACCESS_TOKEN: "file:token",
      PULUMI_CONFIG_PASSPHRASE_FILE: "../passphrase",
      PULUMI_BACKEND_URL: "file://./state",
    };
    expect(absolutePaths(named)).to.deep.equal({
      SOLAR_CHARGING_LEDGER_FILE: resolve("ledger.jsonl"),
      SOLAR_CHARGING_ACCESS_TOKEN: `file:${resolve("token")}`,
      PULUMI_CONFIG_PASSPHRASE_FILE: resolve("../passphrase"),
      PULUMI_BACKEND_URL: `file://${resolve("state")}`,
    });
  });

  it("leaves values that do not name a relative file", () => {
    const whole = {
      SOLAR_CHARGING_ACCESS_TOKEN: "secret",
      PULUMI_BACKEND_URL: "file:///state",
      NODE_EXTRA_CA_CERTS: "",
    };
    expect(absolutePaths(whole)).to.deep.equal({});
    expect(absolutePaths({ PULUMI_BACKEND_URL: "s3://state" })).to.deep.equal({});
    expect(absolutePaths({ PULUMI_BACKEND_URL: "file://~" })).to.deep.equal({});
  });

  for (const [url, host] of [
    ["https://api.example.com/energy", "api.example.com"],
    ["http://127.0.0.1:8080", "127.0.0.1:8080"],
    ["https://user:secret@api.example.com", "api.example.com"],
    ["secret", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const) {
    it(`names the host of ${url}, and nothing else of it`, () => {
      expect(serviceHost({ SOLAR_CHARGING_BASE_URL: url })).to.equal(host);
    });
  }

  it("tells rollouts apart by their service, business, fields and backend, and by nothing else", () => {
    const of = (env: NodeJS.ProcessEnv) => JSON.stringify(destinationOf(env));
    const names = ["BASE_URL", "BUSINESS_ID", "INVERTER_FIELDS"].map((name) => `SOLAR_CHARGING_${name}`);
    for (const name of ["PULUMI_BACKEND_URL", ...names]) expect(of({ [name]: "a" })).to.not.equal(of({ [name]: "b" }));
    expect(of({ SOLAR_CHARGING_ACCESS_TOKEN: "a" })).to.equal(of({ SOLAR_CHARGING_ACCESS_TOKEN: "b" }));
  });
});
