import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { post } from "../../../../cli/review/post";
import { expectFacts } from "../../../support/facts";
import { failureOf } from "../../../support/failure";
import { temporaryFolder } from "../../../support/folder";
import { proxies } from "../../../support/proxy";
import { hangsUp, type Reply, servers } from "../../../support/server";

const MARKER = "<!-- solar-charging review of prod -->";
const REPORT = `${MARKER}\n### 1 unchanged\n\ntext\n`;

const json = (body: unknown, headers = {}): Reply => ({ body: JSON.stringify(body), headers });
const app = { user: { login: "acme-deploy[bot]", type: "Bot" }, author_association: "NONE" };
const member = { user: { login: "ann", type: "User" }, author_association: "MEMBER" };
const self = { id: 9, username: "project_7_bot" };
const other = { id: 8, username: "project_7_b0t" };
const stranger = { user: { login: "github-actions", type: "User" }, author_association: "CONTRIBUTOR" };

/** Each forge's names in its REST API. */
const FORGES = {
  GitHub: {
    asksForUser: false,
    env: (url: string) => ({
      GITLAB_CI: undefined,
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/home",
      GITHUB_TOKEN: "forge-token",
    }),
    comment: {
      list: "/repos/acme/home/issues/5/comments",
      earlier: { id: 42, ...app, body: `${MARKER}\nold` },
      others: [
        { id: 1, ...app, body: null },
        { id: 2, ...stranger, body: `${MARKER}\nnot ours` },
      ],
      update: "PATCH /repos/acme/home/issues/comments/42",
      fields: { body: REPORT },
    },
    issue: {
      list: "/repos/acme/home/issues",
      earlier: { id: 4242, number: 42, ...member, body: `${MARKER}\nold` },
      others: [{ id: 1, number: 1, ...stranger, body: `${MARKER}\nnot ours` }],
      update: "PATCH /repos/acme/home/issues/42",
      fields: { title: "Drift: home, roof", body: REPORT },
    },
  },
  GitLab: {
    asksForUser: true,
    env: (url: string) => ({
      GITLAB_CI: "true",
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "7",
      CI_MERGE_REQUEST_PROJECT_ID: "7",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: "forge-token",
    }),
    comment: {
      list: "/projects/7/merge_requests/5/notes",
      earlier: { id: 42, author: self, body: `${MARKER}\nold` },
      others: [
        { id: 1, author: self, body: "Looks good" },
        { id: 2, author: other, body: `${MARKER}\nnot ours` },
      ],
      update: "PUT /projects/7/merge_requests/5/notes/42",
      fields: { body: REPORT },
    },
    issue: {
      list: "/projects/7/issues",
      earlier: { id: 4242, iid: 42, author: self, state: "opened", description: `${MARKER}\nold` },
      others: [
        { id: 1, iid: 1, author: self, state: "opened", description: null },
        { id: 2, iid: 2, author: self, state: "closed", description: `${MARKER}\nsettled` },
        { id: 3, iid: 3, author: other, state: "opened", description: `${MARKER}\nnot ours` },
      ],
      update: "PUT /projects/7/issues/42",
      fields: { title: "Drift: home, roof", description: REPORT },
    },
  },
};

describe("post", () => {
  const given = servers();
  const startProxy = proxies();
  const path = temporaryFolder();
  const { HTTPS_PROXY } = process.env;
  afterEach(() => {
    if (HTTPS_PROXY === undefined) delete process.env.HTTPS_PROXY;
    else process.env.HTTPS_PROXY = HTTPS_PROXY;
  });
  const envOf = (forge: (typeof FORGES)[keyof typeof FORGES], url: string) => {
    writeFileSync(path("event.json"), JSON.stringify({ pull_request: { number: 5 } }));
    return { ...forge.env(url), GITHUB_EVENT_PATH: path("event.json") };
  };
  const POSTED = { marker: MARKER, title: "Drift: home, roof", body: REPORT };

  for (const [name, forge] of Object.entries(FORGES)) {
    /** The request and the answer by which the command learns its own user, if the forge needs that. */
    const [userRequests, users]: [string[], Reply[]] = forge.asksForUser ? [["GET /user"], [json(self)]] : [[], []];
    const start = (...replies: Reply[]) => given(...([...users, ...replies] as [Reply, ...Reply[]]));

    for (const what of ["comment", "issue"] as const) {
      const { list, earlier, others, update, fields } = forge[what];

      it(`names the line of the pipeline at ${name} if there is no token for a ${what}`, async () => {
        const { url } = await given(json(others));
        const token = name === "GitHub" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
        const error = await failureOf(post(what, POSTED, { ...envOf(forge, url), [token]: "" }));
        expect(error.message).to.contain(name === "GitHub" ? "github.token" : "CI/CD variables");
      });

      it(`makes a new ${what} at ${name} when only others' are there`, async () => {
        const { url, received } = await start(json(others));
        await post(what, POSTED, envOf(forge, url));
        expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          ...userRequests,
          `GET ${list}?per_page=100`,
          `POST ${list}`,
        ]);
        expect(JSON.parse(received.at(-1)?.body ?? "")).to.deep.equal(fields);
        for (const { headers } of received) expect(headers).to.include({ authorization: "Bearer forge-token" });
      });

      it(`updates the ${what} at ${name} that an earlier run made, on whichever page it is`, async () => {
        const first: Reply = (response) => {
          const next = `http://${response.req.headers.host}${list}?page=2`;
          response.writeHead(200, { link: `<${next}>; rel="next", <${next}>; rel="last"` });
          response.end(JSON.stringify(others));
        };
        const { url, received } = await start(first, json([...others, earlier]), json({}));
        await post(what, POSTED, envOf(forge, url));
        expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          ...userRequests,
          `GET ${list}?per_page=100`,
          `GET ${list}?page=2`,
          update,
        ]);
        expect(JSON.parse(received.at(-1)?.body ?? "")).to.deep.equal(fields);
      });
    }

    it(`tries again after HTTP 503, and after a lost answer updates the post at ${name} that it made`, async () => {
      const { list, others, earlier, update } = forge.comment;
      const lost = [...users, json(others), hangsUp];
      const { url, received } = await given({ status: 503 }, ...lost, ...users, json([...others, earlier]), json({}));
      await post("comment", POSTED, envOf(forge, url));
      expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        userRequests[0] ?? `GET ${list}?per_page=100`,
        ...[...userRequests, `GET ${list}?per_page=100`, `POST ${list}`],
        ...[...userRequests, `GET ${list}?per_page=100`, update],
      ]);
    });

    it(`fails with the beginning of ${name}'s answer on one line, and without the token, if ${name} refuses`, async () => {
      const body = `Not accessible\n\u001b[31m with forge-token${" and so on".repeat(1000)}`;
      const { url, received } = await given({ status: 403, body });
      const { message } = await failureOf(post("comment", POSTED, envOf(forge, url)));
      expectFacts(message, ["GET", url, "HTTP 403", "Not accessible"]);
      expect(message).not.to.match(/forge-token|\p{Cc}/u);
      expect(message.length).to.be.below(500);
      expect(received).to.have.length(1);
    });

    it(`goes to ${name} through the proxy of the environment, and names both if it fails`, async () => {
      const proxy = await startProxy({ status: 403 });
      process.env.HTTPS_PROXY = proxy.url;
      const { message } = await failureOf(post("comment", POSTED, envOf(forge, "https://forge.test")));
      expect(proxy.tunnels.map(({ target }) => target)).to.deep.equal(["forge.test:443"]);
      expectFacts(message, ["https://forge.test", proxy.url, "HTTP 403"]);
    });
  }

  it("names the variable that is missing outside of a job", async () => {
    const { message } = await failureOf(post("issue", POSTED, {}));
    expect(message).to.contain("GITHUB_API_URL");
  });

  it("reports that a job runs for no pull request", async () => {
    const env = envOf(FORGES.GitHub, "http://127.0.0.1:1");
    writeFileSync(path("event.json"), "{}");
    const { message } = await failureOf(post("comment", POSTED, env));
    expectFacts(message, ["--post comment", "pull request"]);
  });
});
