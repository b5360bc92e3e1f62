import { expect } from "chai";
import { readConfiguration, serviceOptions, unsetFor } from "../../../provider/configuration/configuration";
import { ConfigurationError } from "../../../provider/configuration/error";
import { thrownBy } from "../../support/failure";

type Values = Readonly<Record<string, string>>;

function read(stack: Values, environment: Values = {}) {
  return readConfiguration((key) => stack[key], environment);
}

/** The keys that are still to be set. */
const unset = (configuration: Parameters<typeof unsetFor>[0]) =>
  unsetFor(configuration).flatMap(({ keys = [] }) => keys);

/** The message that this stack configuration is refused with. */
function refusal(stack: Values, environment: Values = {}): string {
  const error = thrownBy(() => read(stack, environment));
  expect(error).to.be.instanceOf(ConfigurationError);
  return error.message;
}

const variables: Values = {
  baseUrl: "SOLAR_CHARGING_BASE_URL",
  businessId: "SOLAR_CHARGING_BUSINESS_ID",
  accessToken: "SOLAR_CHARGING_ACCESS_TOKEN",
  tokenCommand: "SOLAR_CHARGING_TOKEN_COMMAND",
  oauthTokenUrl: "SOLAR_CHARGING_OAUTH_TOKEN_URL",
  oauthClientId: "SOLAR_CHARGING_OAUTH_CLIENT_ID",
  oauthClientSecret: "SOLAR_CHARGING_OAUTH_CLIENT_SECRET",
  oauthScope: "SOLAR_CHARGING_OAUTH_SCOPE",
  inverterFields: "SOLAR_CHARGING_INVERTER_FIELDS",
  maxConcurrency: "SOLAR_CHARGING_MAX_CONCURRENCY",
  requestTimeoutSeconds: "SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS",
  retryTimeoutSeconds: "SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS",
  verifyTimeoutSeconds: "SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS",
  livePreview: "SOLAR_CHARGING_LIVE_PREVIEW",
  allowGone: "SOLAR_CHARGING_ALLOW_GONE",
  ledgerFile: "SOLAR_CHARGING_LEDGER_FILE",
};

describe("readConfiguration: credentials", () => {
  const oauth = { oauthTokenUrl: "https://id.example/token", oauthClientId: "pipeline", oauthClientSecret: "s3cret" };
  const inEnvironment = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [variables[key] as string, value]));
  const base = { baseUrl: "https://a.example" };
  const usedFrom = (stack: Values, environment: Values = {}, provider?: string) => {
    const given = readConfiguration((key) => ({ ...base, ...stack })[key], inEnvironment(environment), provider);
    const { from, ...credentials } = serviceOptions(given).credentials;
    return { from, credentials };
  };
  const used = (stack: Values, environment: Values = {}) => usedFrom(stack, environment).credentials;

  it("are of the kind that is set, with nothing else", () => {
    expect(used({ accessToken: "file:/token" })).to.deep.equal({ accessToken: "file:/token" });
    expect(used({ tokenCommand: "echo a" })).to.deep.equal({ tokenCommand: "echo a" });
    expect(used(oauth)).to.deep.equal(oauth);
    expect(used({ ...oauth, oauthScope: "devices" })).to.deep.equal({ ...oauth, oauthScope: "devices" });
  });

  const kinds: Values[] = [{ accessToken: "t0ken" }, { tokenCommand: "echo a" }, oauth];
  for (const stack of kinds) {
    for (const environment of kinds) {
      it(`${Object.keys(environment)[0]} of the environment goes before ${Object.keys(stack)[0]} of the stack`, () => {
        expect(used(stack, environment)).to.deep.equal(environment);
      });
    }
  }

  it("are named by where they were found", () => {
    expect(usedFrom({ accessToken: "a" }).from).to.equal("solar-charging:accessToken");
    expect(usedFrom({ accessToken: "a" }, { accessToken: "b" }).from).to.equal("SOLAR_CHARGING_ACCESS_TOKEN");
    expect(usedFrom(oauth).from).to.equal("solar-charging:oauthTokenUrl");
  });

  it("of an explicit provider go before those of the environment, which stand in for what it is not given", () => {
    const [given, environment] = [{ accessToken: "a" }, { tokenCommand: "echo b" }];
    expect(usedFrom(given, environment, "berlin")).to.deep.equal({
      from: "accessToken of the provider 'berlin'",
      credentials: given,
    });
    expect(usedFrom({}, environment, "berlin")).to.deep.equal({
      from: "SOLAR_CHARGING_TOKEN_COMMAND",
      credentials: environment,
    });
  });

  it("that the environment tells are completed from the stack", () => {
    const { oauthClientSecret, ...rest } = oauth;
    expect(used(rest, { oauthClientSecret })).to.deep.equal(oauth);
    expect(used({ ...rest, accessToken: "t0ken" }, { oauthClientSecret })).to.deep.equal(oauth);
  });

  it("of two kinds at the same place are refused, and both are named as they are set there", () => {
    expect(refusal({ ...base, accessToken: "s3cret", tokenCommand: "echo a" })).to.match(
      /: solar-charging:accessToken and solar-charging:tokenCommand are different credentials\. Set only one of them$/,
    );
    const message = refusal(base, inEnvironment({ tokenCommand: "echo a", oauthScope: "a", accessToken: "s3cret" }));
    expect(message).to.match(
      /: SOLAR_CHARGING_ACCESS_TOKEN and SOLAR_CHARGING_TOKEN_COMMAND and SOLAR_CHARGING_OAUTH_SCOPE are different/,
    );
    expect(message).not.to.contain("s3cret");
  });

  it("of two kinds in the stack are no matter where the environment tells the kind", () => {
    const both = { accessToken: "t0ken", tokenCommand: "echo a" };
    expect(used(both, { accessToken: "other" })).to.deep.equal({ accessToken: "other" });
  });

  const partial: [Values, string[]][] = [
    [{ oauthTokenUrl: oauth.oauthTokenUrl }, ["oauthClientId", "oauthClientSecret"]],
    [{ oauthClientId: "a", oauthClientSecret: "b" }, ["oauthTokenUrl"]],
    [{ oauthScope: "a" }, ["oauthTokenUrl", "oauthClientId", "oauthClientSecret"]],
  ];
  for (const [values, missing] of partial) {
    it(`with ${Object.keys(values)} alone pass a preview, and name ${missing} when they are needed`, () => {
      const found = read({ ...base, ...values });
      expect(unset(found)).to.deep.equal(missing);
      expect(thrownBy(() => serviceOptions(found)).message).to.contain(variables[missing[0] as string]);
    });
  }
});

describe("readConfiguration: wrong and missing values", () => {
  it("are named in one message", () => {
    const message = refusal({ baseUrl: "http://api.example.com" });
    expect(message).to.match(/baseUrl or SOLAR_CHARGING_BASE_URL uses http to api\.example\.com/);
    expect(message).to.match(/accessToken or SOLAR_CHARGING_ACCESS_TOKEN is not set/);
  });

  it("are not confused: what is wrong is not missing", () => {
    const message = refusal({ baseUrl: "http://api.example.com", accessToken: "a b" });
    expect(message).not.to.contain("is not set");
  });

  it("are no reason to refuse where they are only missing", () => {
    expect(read({ baseUrl: "https://a.example" }).accessToken).to.equal(undefined);
  });
});

describe("serviceOptions", () => {
  const complete = { baseUrl: "https://a.example", accessToken: "t0ken" };

  it("has what the service needs", () => {
    expect(serviceOptions(read(complete))).to.deep.include({
      baseUrl: "https://a.example",
      credentials: { accessToken: "t0ken", from: "solar-charging:accessToken" },
      maxConcurrency: 16,
      retryTimeoutSeconds: 120,
    });
  });

  it("names everything that is missing in one message", () => {
    const error = thrownBy(() => serviceOptions(read({})));
    expect(error).to.be.instanceOf(ConfigurationError);
    expect(error.message).to.equal(
      "the configuration of solar-charging is not usable: " +
        "solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL is not set; " +
        "solar-charging:accessToken or SOLAR_CHARGING_ACCESS_TOKEN is not set; " +
        "refresh and destroy go by the environment, and by the stack's configuration as of the last up",
    );
  });

  it("names what is missing alone", () => {
    expect(unset(read({ baseUrl: complete.baseUrl }))).to.deep.equal(["accessToken"]);
    expect(unset(read({ accessToken: "t0ken" }))).to.deep.equal(["baseUrl"]);
    expect(unsetFor(read(complete))).to.deep.equal([]);
  });
});
