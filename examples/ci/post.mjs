/**
 * Posts report.md: `node post.mjs comment` to the pull or merge request that the job runs for, `node post.mjs issue` as an
 * issue. What was posted before, known by the report's first line, is updated instead of repeated.
 */
import { readFileSync } from "node:fs";

const { env } = process;
const report = readFileSync("report.md", "utf8");
const [marker, heading] = report.split("\n");
const title = heading.replace("### ", "");

function github() {
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`;
  // Anybody can write a comment that begins like ours.
  const ours = ({ user, body }) => user.login === "github-actions[bot]" && body?.startsWith(marker);
  return {
    token: env.GITHUB_TOKEN,
    update: "PATCH",
    comment: {
      list: `${repository}/issues/${env.PULL_REQUEST}/comments`,
      one: ({ id }) => `${repository}/issues/comments/${id}`,
      ours,
      fields: { body: report },
    },
    issue: {
      list: `${repository}/issues`, // Those that are open.
      one: ({ number }) => `${repository}/issues/${number}`,
      ours,
      fields: { title, body: report },
    },
  };
}

function gitlab() {
  const projects = `${env.CI_API_V4_URL}/projects`;
  const notes = `${projects}/${env.CI_MERGE_REQUEST_PROJECT_ID}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  const issues = `${projects}/${env.CI_PROJECT_ID}/issues`;
  return {
    token: env.GITLAB_TOKEN,
    update: "PUT",
    comment: {
      list: notes,
      one: ({ id }) => `${notes}/${id}`,
      ours: ({ body }) => body.startsWith(marker),
      fields: { body: report },
    },
    issue: {
      list: issues,
      one: ({ iid }) => `${issues}/${iid}`,
      ours: ({ state, description }) => state === "opened" && description?.startsWith(marker),
      fields: { title, description: report },
    },
  };
}

const forge = env.GITLAB_CI ? gitlab() : github();
const { list, one, ours, fields } = forge[process.argv[2]];

async function request(method, url, body) {
  const headers = { authorization: `Bearer ${forge.token}`, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${await response.text()}`);
  return response;
}

/** What was posted before, on whichever page of the list. */
async function find() {
  for (let page = `${list}?per_page=100`; page; ) {
    const response = await request("GET", page);
    const found = (await response.json()).find(ours);
    if (found) return found;
    page = response.headers.get("link")?.match(/<([^<>]+)>; rel="next"/)?.[1];
  }
}

const found = await find();
await (found ? request(forge.update, one(found), fields) : request("POST", list, fields));
