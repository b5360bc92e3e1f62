import { expect } from "chai";
import { readConfiguration, serviceOptions, unsetFor } from "../../../provider/configuration/configuration";
import { ConfigurationError } from "../../../provider/configuration/error";
import { IN_STACK, variableOf } from "../../../provider/messages/names";
import { expectFacts } from "../../support/facts";
import { thrownBy } from "../../support/failure";

type Values = Readonly<Record<string, string>>;

function read(stack: Values, environment: Values = {}) {
  return readConfiguration((key) => stack[key], environment);
}

/** The configuration keys that are not set. */
const unset = (configuration: Parameters<typeof unsetFor>[0]) =>
  unsetFor(configuration).flatMap(({ keys = [] }) => keys);

/** The error with which this configuration is refused. */
function refusal(stack: Values, environment: Values = {}): ConfigurationError {
  const error = thrownBy(() => read(stack, environment));
  expect(error).to.be.instanceOf(ConfigurationError);
  return error as ConfigurationError;
}

/** The reason of the only value that is refused, which has to be that of this key. No secret is shown. */
function reasonFor(key: string, { problems, message }: ConfigurationError): string {
  const wrong = problems.filter(({ code }) => code !== "notSet");
  expect(wrong.map(({ code, keys }) => [code, keys])).to.deep.equal([["notUsable", [key]]]);
  expect(message).to.not.match(/s3cret|pa55/);
  return wrong[0]?.finding as string;
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
  for (const key of ["approved", "ledgerFile"]) {
    it(`refuses ${key} that is named and left empty, by the environment or by the stack: it guards a run`, () => {
      for (const error of [refusal({}, { [variableOf(key)]: "" }), refusal({ [key]: "" }, {})])
        expect(reasonFor(key, error)).to.not.equal(undefined);
    });
  }

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

    if (key === "ledgerFile") continue;
    it(`${key} that is empty is not set`, () => {
      expect(read({ [key]: "" }, { [variable]: inEnvironment })).to.deep.include({ [key]: fromEnvironment });
      expect(read({ [key]: inStack }, { [variable]: "" })).to.deep.include({ [key]: fromStack });
      expect(read({ [key]: "" }, { [variable]: "" })).to.deep.equal(read({}));
    });
  }

  it("comes only from the environment, if that asks for it", () => {
    const stack = { baseUrl: "https://stack.example.com", accessToken: "other", maxConcurrency: "7" };
    const environment = {
      SOLAR_CHARGING_ENVIRONMENT_ONLY: "true",
      SOLAR_CHARGING_BASE_URL: "https://api.example.com",
    };
    expect(read(stack, environment)).to.deep.equal(read({}, environment));
    expect(read(stack, environment)).to.include({ baseUrl: "https://api.example.com", maxConcurrency: 16 });
  });

  it("knows whether the engine keeps the credentials", () => {
    const isKept = (stack: object, environment: NodeJS.ProcessEnv, provider?: string) =>
      serviceOptions(readConfiguration((key) => (stack as Record<string, string>)[key], environment, provider))
        .credentials.isKept;
    const url = { baseUrl: "https://api.example.com" };
    const environment = { SOLAR_CHARGING_ACCESS_TOKEN: "b" };
    expect(isKept({ ...url, accessToken: "a" }, {})).to.equal(true);
    expect(isKept({ ...url, accessToken: "a" }, environment)).to.equal(false);
    expect(isKept({ ...url, accessToken: "a" }, environment, "north")).to.equal(true);
    expect(isKept(url, environment)).to.equal(false);
  });

  it("has the documented defaults, and nothing else, if nothing is set", () => {
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

  // The golden file has the words of each of these reasons.
  const refused: Record<string, readonly string[]> = {
    "no https URL": [
      ...["api.example.com", "https://", "ftp://api.example.com", "xhttps://api.example.com"],
      ...["httpsx://api.example.com", "file:///etc/passwd", "localhost:8080"],
    ],
    "a query or fragment": ["https://api.example.com?key=1", "https://api.example.com/#top"],
    "a user or password": [
      ...["https://user:pa55@api.example.com", "https://user@api.example.com", "https://:pa55@api.example.com"],
      "http://user:pa55@localhost",
    ],
    "http to another machine": [
      ...["http://api.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com"],
      ...["http://10.0.0.1", "http://0.0.0.0", "http://[::2]"],
    ],
  };
  const hosts = refused["http to another machine"]?.map((url) => new URL(url).hostname) ?? [];
  const reasonOf = (baseUrl: string) =>
    hosts.reduce((reason, host) => reason.replaceAll(host, ""), reasonFor("baseUrl", refusal({ baseUrl })));
  for (const [what, urls] of Object.entries(refused)) {
    it(`refuses ${what}, with a reason of its own`, () => {
      const reasons = urls.map(reasonOf);
      expect(new Set(reasons)).to.have.length(1);
      const others = Object.values(refused).filter((other) => other !== urls);
      expect(others.map(([url = ""]) => reasonOf(url))).to.not.include(reasons[0]);
    });
  }
});

describe("readConfiguration: other values", () => {
  /** A key, a value that is refused, and facts that the reason contains. */
  const refused: [string, string, string[]?][] = [
    ["accessToken", "Bearer s3cret", ["token", "'Bearer '"]],
    ["accessToken", "s3cret\n"],
    ["accessToken", "s3cretä"],
    ["accessToken", "file:"],
    ["accessToken", "file:/token\n"],
    ["tokenCommand", " \n"],
    ["oauthTokenUrl", "http://id.example/token", ["id.example"]],
    ["oauthTokenUrl", "https://u:s3cret@id.example"],
    ["oauthTokenUrl", "id.example"],
    ["oauthClientId", "a\nb"],
    ["oauthClientSecret", "s3cret\n", ["secret"]],
    ["oauthScope", "a  b"],
    ["businessId", " acme"],
    ["businessId", "..", ["'..'"]],
    ["businessId", "x".repeat(257), ["256"]],
    ["inverterFields", "peak_power", ['{"peakPower":"peak_power"}']],
    ...["[]", "null", '"tilt"', '{"peak_power":"p"}', '{"maxCapacity":"p"}'].map(
      (given): [string, string, string[]] => [
        "inverterFields",
        given,
        ["peakPower, azimuth, tilt, cutInThreshold and baseLoad"],
      ],
    ),
    ["inverterFields", '{"tilt":""}'],
    ["inverterFields", '{"tilt":" "}'],
    ["inverterFields", '{"tilt":5}', ["tilt"]],
    ["inverterFields", '{"tilt":"policy"}', ["policy"]],
    ["inverterFields", '{"tilt":"max_capacity"}', ["max_capacity"]],
    ["inverterFields", '{"tilt":"dev_type"}', ["dev_type"]],
    ["inverterFields", '{"tilt":"__proto__"}', ["__proto__"]],
    ["inverterFields", '{"tilt":"a","azimuth":"a"}'],
    ["inverterFields", '{"tilt":"azimuth"}'],
    ["maxConcurrency", "0", ["requests", " 1 ", " 1000"]],
    ["maxRequestsPerMinute", "0", ["requests", " 0.1 ", " 1000000"]],
    ["maxConcurrency", "1001", [" 1 ", " 1000"]],
    ["maxConcurrency", "1.5", ["requests"]],
    ["maxConcurrency", "many", [" 1 ", " 1000"]],
    ["maxConcurrency", "-1", [" 1 ", " 1000"]],
    ["maxConcurrency", "NaN", [" 1 ", " 1000"]],
    ["allowGone", "1", ["true", "false"]],
    ["livePreview", "yes", ["true", "false"]],
    ["ledgerFile", "a\nb"],
    ["livePreview", "True", ["true", "false"]],
    ["requestTimeoutSeconds", "0", ["seconds", " 0.1 ", " 3600"]],
    ["requestTimeoutSeconds", "3601", [" 0.1 ", " 3600"]],
    ["requestTimeoutSeconds", "30s", [" 0.1 ", " 3600"]],
    ["retryTimeoutSeconds", "3600.1", [" 0 ", " 3600"]],
    ["verifyTimeoutSeconds", "Infinity", [" 0 ", " 3600"]],
  ];
  for (const [key, given, facts = []] of refused) {
    it(`refuses ${JSON.stringify(given.slice(0, 40))} as ${key}, from either place`, () => {
      const variable = variables[key] as string;
      for (const error of [refusal({ [key]: given }), refusal({}, { [variable]: given })]) {
        expectFacts(reasonFor(key, error), [`{${key}?} `, ...facts]);
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
    const { problems } = refusal(Object.fromEntries(plain.map(([key]) => [key, " - "])));
    expect(problems.flatMap(({ keys }) => keys)).to.include.members(plain.map(([key]) => key));
  });
});

describe("readConfiguration: credentials", () => {
  const oauth = { oauthTokenUrl: "https://id.example/token", oauthClientId: "pipeline", oauthClientSecret: "s3cret" };
  const inEnvironment = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [variables[key] as string, value]));
  const base = { baseUrl: "https://a.example" };
  const usedFrom = (stack: Values, environment: Values = {}, provider?: string) => {
    const given = readConfiguration((key) => ({ ...base, ...stack })[key], inEnvironment(environment), provider);
    const { from, isKept: _, ...credentials } = serviceOptions(given).credentials;
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
    const { from, credentials } = usedFrom(given, environment, "berlin");
    expect(credentials).to.deep.equal(given);
    expectFacts(from, ["accessToken", "'berlin'"]);
    expect(usedFrom({}, environment, "berlin")).to.deep.equal({
      from: "SOLAR_CHARGING_TOKEN_COMMAND",
      credentials: environment,
    });
  });

  it("in the environment are completed from the stack", () => {
    const { oauthClientSecret, ...rest } = oauth;
    expect(used(rest, { oauthClientSecret })).to.deep.equal(oauth);
    expect(used({ ...rest, accessToken: "t0ken" }, { oauthClientSecret })).to.deep.equal(oauth);
  });

  it("of two kinds at the same place are refused, and both are named as they are set there", () => {
    const inStack = refusal({ ...base, accessToken: "s3cret", tokenCommand: "echo a" });
    expect(inStack.problems.map(({ code }) => code)).to.deep.equal(["severalCredentials"]);
    expectFacts(inStack.message, ["solar-charging:accessToken", "solar-charging:tokenCommand"]);
    const values = { tokenCommand: "echo a", oauthScope: "a", accessToken: "s3cret" };
    const { message } = refusal(base, inEnvironment(values));
    expectFacts(message, Object.keys(inEnvironment(values)));
    expect(message).not.to.contain("s3cret");
  });

  it("of two kinds in the stack do not matter if the environment has the kind", () => {
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
    const { problems, message } = refusal({ baseUrl: "http://api.example.com" });
    expect(problems.map(({ code, keys }) => [code, keys])).to.deep.equal([
      ["notUsable", ["baseUrl"]],
      ["notSet", ["accessToken"]],
    ]);
    expectFacts(message, [IN_STACK.allOf("baseUrl"), IN_STACK.allOf("accessToken")]);
  });

  it("are not confused: what is wrong is not missing", () => {
    const { problems } = refusal({ baseUrl: "http://api.example.com", accessToken: "a b" });
    expect(problems.map(({ code }) => code)).to.deep.equal(["notUsable", "notUsable"]);
  });

  it("are no reason to refuse if they are only missing", () => {
    expect(read({ baseUrl: "https://a.example" }).accessToken).to.equal(undefined);
  });
});

describe("serviceOptions", () => {
  const complete = { baseUrl: "https://a.example", accessToken: "t0ken" };

  it("has what the service needs", () => {
    expect(serviceOptions(read(complete))).to.deep.include({
      baseUrl: "https://a.example",
      credentials: { accessToken: "t0ken", from: "solar-charging:accessToken", isKept: true },
      maxConcurrency: 16,
      retryTimeoutSeconds: 120,
    });
  });

  it("names everything that is missing in one message", () => {
    const error = thrownBy(() => serviceOptions(read({})));
    expect(error).to.be.instanceOf(ConfigurationError);
    expect((error as ConfigurationError).problems.map(({ code, keys }) => [code, keys])).to.deep.equal([
      ["notSet", ["baseUrl"]],
      ["notSet", ["accessToken"]],
      ["configurationOfLastUp", undefined],
    ]);
  });

  it("says what address and token are", () => {
    const [address, token] = unsetFor({}).map(({ finding }) => finding);
    expect(address).to.match(/: .*https:/);
    expect(token).to.match(/: .*token.*pulumi config set --secret/);
  });

  it("names what is missing alone", () => {
    expect(unset(read({ baseUrl: complete.baseUrl }))).to.deep.equal(["accessToken"]);
    expect(unset(read({ accessToken: "t0ken" }))).to.deep.equal(["baseUrl"]);
    expect(unsetFor(read(complete))).to.deep.equal([]);
  });
});
