import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../support/project";
import { type Reply, servers } from "../support/server";

const MARKER = "<!-- pulumi: Preview of prod -->";
const REPORT = `${MARKER}\n### Preview of prod: 1 unchanged\n\ntext\n`;

const json = (body: unknown, headers = {}): Reply => ({ body: JSON.stringify(body), headers });
const bot = { login: "github-actions[bot]" };

/** What each forge calls things, as its REST API is documented. */
const FORGES = {
  GitHub: {
    env: (url: string) => ({
      GITLAB_CI: undefined,
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/home",
      GITHUB_TOKEN: "forge-token",
      PULL_REQUEST: "5",
    }),
    comment: {
      list: "/repos/acme/home/issues/5/comments",
      earlier: { id: 42, user: bot, body: `${MARKER}\nold` },
      others: [
        { id: 1, user: bot, body: null },
        { id: 2, user: { login: "eve" }, body: `${MARKER}\nnot ours` },
      ],
      update: "PATCH /repos/acme/home/issues/comments/42",
      fields: { body: REPORT },
    },
    issue: {
      list: "/repos/acme/home/issues",
      earlier: { id: 4242, number: 42, user: bot, body: `${MARKER}\nold` },
      others: [{ id: 1, number: 1, user: { login: "eve" }, body: `${MARKER}\nnot ours` }],
      update: "PATCH /repos/acme/home/issues/42",
      fields: { title: "Preview of prod: 1 unchanged", body: REPORT },
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
      fields: { title: "Preview of prod: 1 unchanged", description: REPORT },
    },
  },
};

describe("ci: post.mjs", () => {
  const given = servers();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-ci-"));
    writeFileSync(join(folder, "report.md"), REPORT);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const post = (what: string, env: NodeJS.ProcessEnv) =>
    outputOf(
      spawn(process.execPath, [join(ROOT, "examples", "ci", "post.mjs"), what], {
        cwd: folder,
        env: { ...process.env, ...env },
      }),
    );

  for (const [name, forge] of Object.entries(FORGES)) {
    for (const what of ["comment", "issue"] as const) {
      const { list, earlier, others, update, fields } = forge[what];

      it(`makes a new ${what} at ${name} when only others' are there`, async () => {
        const { url, received } = await given(json(others));
        const { code, text } = await post(what, forge.env(url));
        expect(code, text).to.equal(0);
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
        const { code, text } = await post(what, forge.env(url));
        expect(code, text).to.equal(0);
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
      const { code, text } = await post("comment", forge.env(url));
      expect(code).to.equal(1);
      expect(text).to.match(/GET .* was answered with 403: Resource not accessible/);
      expect(text).not.to.contain("forge-token");
    });
  }
});
