import { expect } from "chai";
import { readConfiguration, serviceOptions, unsetFor } from "../../../provider/configuration/configuration";
import { ConfigurationError } from "../../../provider/configuration/error";
import { thrownBy } from "../../support/failure";

type Values = Readonly<Record<string, string>>;

function read(stack: Values, environment: Values = {}) {
  return readConfiguration((key) => stack[key], environment);
}

/** The configuration keys that are not set. */
const unset = (configuration: Parameters<typeof unsetFor>[0]) =>
  unsetFor(configuration).flatMap(({ keys = [] }) => keys);

/** The message with which this stack configuration is refused. */
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
  maxRequestsPerMinute: "SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE",
  requestTimeoutSeconds: "SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS",
  retryTimeoutSeconds: "SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS",
  verifyTimeoutSeconds: "SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS",
  livePreview: "SOLAR_CHARGING_LIVE_PREVIEW",
  allowGone: "SOLAR_CHARGING_ALLOW_GONE",
  ledgerFile: "SOLAR_CHARGING_LEDGER_FILE",
};

describe("readConfiguration: where values come from", () => {
  const values: [string, string, unknown, string, unknown][] = [
    ["baseUrl", "https://a.example", "https://a.example", "https://b.example", "https://b.example"],
    ["businessId", "a", "a", "b", "b"],
    ["accessToken", "a", "a", "b", "b"],
    ["accessToken", "file:/a b", "file:/a b", "file:b", "file:b"],
    ["tokenCommand", "echo a", "echo a", "echo b", "echo b"],
    ["oauthTokenUrl", "https://a.example/t/", "https://a.example/t/", "http://[::1]:1/", "http://[::1]:1/"],
    ["oauthClientId", "a", "a", "b", "b"],
    ["oauthClientSecret", "a", "a", "file:/b", "file:/b"],
    ["oauthScope", "a", "a", "b c", "b c"],
    ["inverterFields", '{"tilt":"a"}', { tilt: "a" }, '{"tilt":"b"}', { tilt: "b" }],
    ["maxConcurrency", "1", 1, "2", 2],
    ["maxRequestsPerMinute", "600", 600, "2.5", 2.5],
    ["requestTimeoutSeconds", "1", 1, "2.5", 2.5],
    ["retryTimeoutSeconds", "1", 1, "2", 2],
    ["verifyTimeoutSeconds", "1", 1, "0", 0],
    ["livePreview", "true", true, "false", false],
    ["allowGone", "true", true, "false", false],
    ["ledgerFile", "a b/ledger.jsonl", "a b/ledger.jsonl", "/c", "/c"],
  ];
  for (const [key, inStack, fromStack, inEnvironment, fromEnvironment] of values) {
    const variable = variables[key] as string;

    it(`${key} is read from the stack or from ${variable}`, () => {
      expect(read({ [key]: inStack })).to.deep.include({ [key]: fromStack });
      expect(read({}, { [variable]: inEnvironment })).to.deep.include({ [key]: fromEnvironment });
    });

    const isCredential = /^(accessToken|tokenCommand|oauth.*)$/.test(key);
    it(`${key} of ${isCredential ? "the environment" : "the stack"} wins`, () => {
      const found = read({ [key]: inStack }, { [variable]: inEnvironment });
      expect(found).to.deep.include({ [key]: isCredential ? fromEnvironment : fromStack });
    });

    it(`${key} that is empty is not set`, () => {
      expect(read({ [key]: "" }, { [variable]: inEnvironment })).to.deep.include({ [key]: fromEnvironment });
      expect(read({ [key]: inStack }, { [variable]: "" })).to.deep.include({ [key]: fromStack });
      expect(read({ [key]: "" }, { [variable]: "" })).to.deep.equal(read({}));
    });
  }

  it("is the environment's only, if that says so", () => {
    const stack = { baseUrl: "https://stack.example.com", accessToken: "other", maxConcurrency: "7" };
    const environment = {
      SOLAR_CHARGING_ENVIRONMENT_ONLY: "true",
      SOLAR_CHARGING_BASE_URL: "https://api.example.com",
    };
    expect(read(stack, environment)).to.deep.equal(read({}, environment));
    expect(read(stack, environment)).to.include({ baseUrl: "https://api.example.com", maxConcurrency: 16 });
  });

  it("has the documented defaults, and nothing else, where nothing is set", () => {
    expect(JSON.parse(JSON.stringify(read({})))).to.deep.equal({
      maxConcurrency: 16,
      requestTimeoutSeconds: 30,
      retryTimeoutSeconds: 120,
      verifyTimeoutSeconds: 10,
      livePreview: false,
      allowGone: false,
    });
  });
});

describe("readConfiguration: baseUrl", () => {
  const accepted: [string, string][] = [
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com//", "https://api.example.com"],
    ["https://api.example.com/energy/v2/", "https://api.example.com/energy/v2"],
    ["HTTPS://API.example.com:8443/Energy", "https://api.example.com:8443/Energy"],
    [" https://api.example.com\n", "https://api.example.com"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"],
    ["http://127.8.9.10", "http://127.8.9.10"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ];
  for (const [given, used] of accepted) {
    it(`uses ${used} for ${JSON.stringify(given)}`, () => {
      expect(read({ baseUrl: given }).baseUrl).to.equal(used);
    });
  }

  const refused: [string, RegExp][] = [
    ["api.example.com", /is not an https URL such as/],
    ["https://", /is not an https URL such as/],
    ["ftp://api.example.com", /is not an https URL such as/],
    ["xhttps://api.example.com", /is not an https URL such as/],
    ["httpsx://api.example.com", /is not an https URL such as/],
    ["file:///etc/passwd", /is not an https URL such as/],
    ["localhost:8080", /is not an https URL such as/],
    ["https://api.example.com?key=1", /must not have a query or a fragment/],
    ["https://api.example.com/#top", /must not have a query or a fragment/],
    ["https://user:pa55@api.example.com", /must not contain a user or password/],
    ["https://user@api.example.com", /must not contain a user or password/],
    ["https://:pa55@api.example.com", /must not contain a user or password/],
    ["http://user:pa55@localhost", /must not contain a user or password/],
    ["http://api.example.com", /uses http to api\.example\.com, .*use https.* only on loopback/],
    ["http://127.0.0.1.example.com", /only on loopback/],
    ["http://localhost.example.com", /only on loopback/],
    ["http://10.0.0.1", /only on loopback/],
    ["http://0.0.0.0", /only on loopback/],
    ["http://[::2]", /only on loopback/],
  ];
  for (const [given, expected] of refused) {
    it(`refuses ${given} and names both places`, () => {
      const message = refusal({ baseUrl: given });
      expect(message).to.match(expected);
      expect(message).to.contain("solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL");
      expect(message).not.to.contain("pa55");
    });
  }
});

describe("readConfiguration: other values", () => {
  const refused: [string, string, RegExp][] = [
    ["accessToken", "Bearer s3cret", /holds more than a token: give it alone, without 'Bearer '/],
    ["accessToken", "s3cret\n", /holds more than a token/],
    ["accessToken", "s3cretä", /holds more than a token/],
    ["accessToken", "file:", /holds more than a token/],
    ["accessToken", "file:/token\n", /holds more than a token/],
    ["tokenCommand", " \n", /must be a command that prints a token/],
    ["oauthTokenUrl", "http://id.example/token", /uses http to id\.example/],
    ["oauthTokenUrl", "https://u:s3cret@id.example", /must not contain a user or password/],
    ["oauthTokenUrl", "id.example", /is not an https URL/],
    ["oauthClientId", "a\nb", /must be the id of an OAuth 2\.0 client, on one line/],
    ["oauthClientSecret", "s3cret\n", /holds more than a client's secret: give it alone/],
    ["oauthScope", "a  b", /must be scopes, separated by one space, on one line/],
    ["businessId", " acme", /must not begin or end with white space/],
    ["businessId", "..", /must not be '\.' or '\.\.'/],
    ["businessId", "x".repeat(257), /must not be longer than 256 characters/],
    ["inverterFields", "peak_power", /is not JSON; write an object such as \{"peakPower":"peak_power"\}/],
    [
      "inverterFields",
      "[]",
      /must be a JSON object with the field names of peakPower, azimuth, tilt, cutInThreshold, baseLoad/,
    ],
    ["inverterFields", "null", /must be a JSON object/],
    ["inverterFields", '"tilt"', /must be a JSON object/],
    ["inverterFields", '{"peak_power":"p"}', /field names of peakPower, azimuth, tilt, cutInThreshold, baseLoad/],
    ["inverterFields", '{"maxCapacity":"p"}', /field names of peakPower, azimuth/],
    ["inverterFields", '{"tilt":""}', /has an empty field name/],
    ["inverterFields", '{"tilt":" "}', /has an empty field name/],
    ["inverterFields", '{"tilt":5}', /must have a text for (inverterFields\.)?tilt/],
    ["inverterFields", '{"tilt":"policy"}', /cannot use the field policy, /],
    ["inverterFields", '{"tilt":"max_capacity"}', /cannot use the field max_capacity, /],
    ["inverterFields", '{"tilt":"dev_type"}', /cannot use the field dev_type, /],
    ["inverterFields", '{"tilt":"__proto__"}', /cannot use the field __proto__, /],
    ["inverterFields", '{"tilt":"a","azimuth":"a"}', /gives two settings the same field name/],
    ["inverterFields", '{"tilt":"azimuth"}', /gives two settings the same field name/],
    ["maxConcurrency", "0", /must be a number of requests from 1 to 1000/],
    ["maxRequestsPerMinute", "0", /must be a number of requests from 0.1 to 1000000/],
    ["maxConcurrency", "1001", /from 1 to 1000/],
    ["maxConcurrency", "1.5", /must be a whole number of requests/],
    ["maxConcurrency", "many", /from 1 to 1000/],
    ["maxConcurrency", "-1", /from 1 to 1000/],
    ["maxConcurrency", "NaN", /from 1 to 1000/],
    ["allowGone", "1", /must be true or false/],
    ["livePreview", "yes", /must be true or false/],
    ["ledgerFile", "a\nb", /must be the path of a file, on one line, without spaces around it/],
    ["livePreview", "True", /must be true or false/],
    ["requestTimeoutSeconds", "0", /must be a number of seconds from 0\.1 to 3600/],
    ["requestTimeoutSeconds", "3601", /from 0\.1 to 3600/],
    ["requestTimeoutSeconds", "30s", /from 0\.1 to 3600/],
    ["retryTimeoutSeconds", "3600.1", /from 0 to 3600/],
    ["verifyTimeoutSeconds", "Infinity", /from 0 to 3600/],
  ];
  for (const [key, given, expected] of refused) {
    it(`refuses ${JSON.stringify(given.slice(0, 40))} as ${key}, from either place, and names both`, () => {
      const variable = variables[key] as string;
      for (const message of [refusal({ [key]: given }), refusal({}, { [variable]: given })]) {
        expect(message).to.match(expected);
        expect(message).to.contain(`solar-charging:${key} or ${variable}`);
        expect(message).not.to.contain("s3cret");
      }
    });
  }

  const ends: [string, string[]][] = [
    ["maxConcurrency", ["1", "1000"]],
    ["requestTimeoutSeconds", ["0.1", "3600"]],
    ["retryTimeoutSeconds", ["0", "3600"]],
    ["verifyTimeoutSeconds", ["0", "3600"]],
  ];
  for (const [key, values] of ends) {
    it(`accepts ${values.join(" and ")} as ${key}`, () => {
      for (const value of values) expect(read({ [key]: value })).to.deep.include({ [key]: Number(value) });
    });
  }

  it("accepts inverter fields that swap two default names", () => {
    const swapped = { tilt: "azimuth", azimuth: "tilt" };
    expect(read({ inverterFields: JSON.stringify(swapped) }).inverterFields).to.deep.equal(swapped);
  });

  it("names everything that is wrong at once", () => {
    const plain = Object.entries(variables).filter(([key]) => !/^(tokenCommand|oauth.*)$/.test(key));
    const message = refusal(Object.fromEntries(plain.map(([key]) => [key, " - "])));
    for (const [key, variable] of plain) {
      expect(message).to.contain(`solar-charging:${key} or ${variable} `);
    }
  });
});

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
      "the configuration of solar-charging cannot be used: " +
        "solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL is not set; " +
        "solar-charging:accessToken or SOLAR_CHARGING_ACCESS_TOKEN is not set; " +
        'refresh and destroy use the environment, and the stack configuration of the last "pulumi up". ' +
        'If you have changed that configuration, run "pulumi up" first',
    );
  });

  it("names what is missing alone", () => {
    expect(unset(read({ baseUrl: complete.baseUrl }))).to.deep.equal(["accessToken"]);
    expect(unset(read({ accessToken: "t0ken" }))).to.deep.equal(["baseUrl"]);
    expect(unsetFor(read(complete))).to.deep.equal([]);
  });
});
