import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { post } from "../../../../cli/review/post";
import { expectFacts } from "../../../support/facts";
import { failureOf } from "../../../support/failure";
import { temporaryFolder } from "../../../support/folder";
import { type Reply, servers } from "../../../support/server";

const MARKER = "<!-- solar-charging review of prod -->";
const REPORT = `${MARKER}\n### 1 unchanged\n\ntext\n`;

const json = (body: unknown, headers = {}): Reply => ({ body: JSON.stringify(body), headers });
const app = { user: { login: "acme-deploy[bot]", type: "Bot" }, author_association: "NONE" };
const member = { user: { login: "ann", type: "User" }, author_association: "MEMBER" };
const stranger = { user: { login: "github-actions", type: "User" }, author_association: "CONTRIBUTOR" };

/** Each forge's names in its REST API. */
const FORGES = {
  GitHub: {
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
      earlier: { id: 42, body: `${MARKER}\nold` },
      others: [{ id: 1, body: "Looks good" }],
      update: "PUT /projects/7/merge_requests/5/notes/42",
      fields: { body: REPORT },
    },
    issue: {
      list: "/projects/7/issues",
      earlier: { id: 4242, iid: 42, state: "opened", description: `${MARKER}\nold` },
      others: [
        { id: 1, iid: 1, state: "opened", description: null },
        { id: 2, iid: 2, state: "closed", description: `${MARKER}\nsettled` },
      ],
      update: "PUT /projects/7/issues/42",
      fields: { title: "Drift: home, roof", description: REPORT },
    },
  },
};

describe("post", () => {
  const given = servers();
  const path = temporaryFolder();
  const envOf = (forge: (typeof FORGES)[keyof typeof FORGES], url: string) => {
    writeFileSync(path("event.json"), JSON.stringify({ pull_request: { number: 5 } }));
    return { ...forge.env(url), GITHUB_EVENT_PATH: path("event.json") };
  };
  const POSTED = { marker: MARKER, title: "Drift: home, roof", body: REPORT };

  for (const [name, forge] of Object.entries(FORGES)) {
    for (const what of ["comment", "issue"] as const) {
      const { list, earlier, others, update, fields } = forge[what];

      it(`names the line of the pipeline at ${name} if there is no token for a ${what}`, async () => {
        const { url } = await given(json(others));
        const token = name === "GitHub" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
        const error = await failureOf(post(what, POSTED, { ...envOf(forge, url), [token]: "" }));
        expect(error.message).to.contain(name === "GitHub" ? "github.token" : "CI/CD variables");
      });

      it(`makes a new ${what} at ${name} when only others' are there`, async () => {
        const { url, received } = await given(json(others));
        await post(what, POSTED, envOf(forge, url));
        expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          `GET ${list}?per_page=100`,
          `POST ${list}`,
        ]);
        expect(JSON.parse(received[1]?.body ?? "")).to.deep.equal(fields);
        expect(received.map(({ headers }) => headers.authorization)).to.deep.equal(Array(2).fill("Bearer forge-token"));
      });

      it(`updates the ${what} at ${name} that an earlier run made, on whichever page it is`, async () => {
        const first: Reply = (response) => {
          const next = `http://${response.req.headers.host}${list}?page=2`;
          response.writeHead(200, { link: `<${next}>; rel="next", <${next}>; rel="last"` });
          response.end(JSON.stringify(others));
        };
        const { url, received } = await given(first, json([...others, earlier]), json({}));
        await post(what, POSTED, envOf(forge, url));
        expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          `GET ${list}?per_page=100`,
          `GET ${list}?page=2`,
          update,
        ]);
        expect(JSON.parse(received[2]?.body ?? "")).to.deep.equal(fields);
      });
    }

    it(`fails with ${name}'s answer, and without the token, when ${name} refuses`, async () => {
      const { url } = await given({ status: 403, body: "Resource not accessible" });
      const { message } = await failureOf(post("comment", POSTED, envOf(forge, url)));
      expect(message).to.match(/GET .* got HTTP 403: Resource not accessible/);
      expect(message).not.to.contain("forge-token");
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
