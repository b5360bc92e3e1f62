import { readFileSync } from "node:fs";
import type { Ask } from "../../provider/service/otherApi";
import type { Forge } from "./markdown";

export const POSTS = ["comment", "issue"] as const;
export type Post = (typeof POSTS)[number];

/** The posted text. */
interface Posted {
  /** The first line of the body, which identifies an earlier post. */
  readonly marker: string;
  readonly title: string;
  readonly body: string;
}

/** An item in a list of the forge: a comment, a note or an issue. */
interface Item {
  readonly id: number;
  readonly number?: number;
  readonly iid?: number;
  readonly body?: string | null;
  readonly description?: string | null;
  readonly state?: string;
  /** The kind of its author's account. */
  readonly user?: { readonly type?: string };
  /** The role of its author in the repository. */
  readonly author_association?: string;
  /** Its author at GitLab. */
  readonly author?: Author;
  readonly html_url?: string;
  readonly web_url?: string;
}

interface Author {
  readonly id?: number;
}

/** A list of the forge to which a text can be posted. */
interface PostTarget {
  readonly list: string;
  /** The address of one item, to update it. */
  one(item: Item): string;
  /** The address of the token's user. Absent if the items themselves show who may post. */
  readonly self?: string;
  /** @param self the token's user */
  isOurs(item: Item, self: Author): boolean;
  readonly fields: Readonly<Record<string, string>>;
  readonly update: "PATCH" | "PUT";
  readonly token: string;
}

/** The forge of this job; GitHub if it is not known. */
export function forgeOf({ GITLAB_CI }: NodeJS.ProcessEnv): Forge {
  return GITLAB_CI ? "gitlab" : "github";
}

/**
 * Posts to the pull or merge request of the job, or as an issue. Updates an earlier post instead of posting again.
 * @returns its address, if the forge answers with one
 * @throws Error with the cause if it fails
 */
export async function post(what: Post, posted: Posted, env: NodeJS.ProcessEnv): Promise<string> {
  const place = forgeOf(env) === "gitlab" ? gitlab(what, posted, env) : github(what, posted, env);
  const { withApi } = await import("../../provider/service/otherApi.js");
  try {
    return await withApi(place.token, (ask) => postTo(place, ask));
  } catch (error) {
    throw new Error(`the review is not posted: ${(error as Error).message}`);
  }
}

async function postTo(place: PostTarget, ask: Ask): Promise<string> {
  const { list, update, fields } = place;
  const earlier = await find(place, ask);
  const url = earlier ? place.one(earlier) : list;
  const { content } = await ask({ method: earlier ? update : "POST", url, fields });
  const { html_url, web_url } = content as Partial<Item>;
  return html_url ?? web_url ?? url;
}

function github(what: Post, { marker, title, body }: Posted, env: NodeJS.ProcessEnv): PostTarget {
  const repository = `${needed(env, "GITHUB_API_URL")}/repos/${needed(env, "GITHUB_REPOSITORY")}`;
  const common = {
    isOurs: (item: Item) => item.body?.startsWith(marker) === true && mayPost(item),
    update: "PATCH" as const,
    token: needed(env, "GITHUB_TOKEN"),
  };
  if (what === "issue") {
    const list = `${repository}/issues`; // Lists open issues only.
    return { ...common, list, one: ({ number }) => `${list}/${number}`, fields: { title, body } };
  }
  const list = `${repository}/issues/${pullRequest(env)}/comments`;
  return { ...common, list, one: ({ id }) => `${repository}/issues/comments/${id}`, fields: { body } };
}

/** The roles of those who can give a pipeline a token of their own. */
const TRUSTED = ["OWNER", "MEMBER", "COLLABORATOR"];

/**
 * Whether a pipeline of the repository can have made an item: with the token of an app, or of somebody who may write.
 * Without this, a stranger's comment that begins like ours would be updated, and the stranger could then change it.
 */
function mayPost({ user, author_association: role = "" }: Item): boolean {
  return user?.type === "Bot" || TRUSTED.includes(role);
}

/**
 * GitLab lets only its author change a note. Without the check of the author, somebody who posts the marker first would
 * own the review, or make each later one fail.
 */
function gitlab(what: Post, { marker, title, body }: Posted, env: NodeJS.ProcessEnv): PostTarget {
  const projects = `${needed(env, "CI_API_V4_URL")}/projects`;
  const self = `${needed(env, "CI_API_V4_URL")}/user`;
  // A note has a body, and no state.
  const isOurs = ({ body, description = body, state = "opened", author }: Item, { id }: Author) =>
    state === "opened" && description?.startsWith(marker) === true && author?.id === id;
  const common = { self, update: "PUT" as const, token: needed(env, "GITLAB_TOKEN"), isOurs };
  if (what === "issue") {
    const list = `${projects}/${needed(env, "CI_PROJECT_ID")}/issues`;
    return { ...common, list, one: ({ iid }) => `${list}/${iid}`, fields: { title, description: body } };
  }
  const [project, request] = ["CI_MERGE_REQUEST_PROJECT_ID", "CI_MERGE_REQUEST_IID"].map((name) => needed(env, name));
  const list = `${projects}/${project}/merge_requests/${request}/notes`;
  return { ...common, list, one: ({ id }) => `${list}/${id}`, fields: { body } };
}

/** The number of the pull request, from the file with which GitHub describes the event. */
function pullRequest(env: NodeJS.ProcessEnv): number {
  const event = JSON.parse(readFileSync(needed(env, "GITHUB_EVENT_PATH"), "utf8"));
  const number = event.pull_request?.number;
  if (typeof number !== "number")
    throw new Error("--post comment needs a pull request, and this job does not run for one");
  return number;
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new Error(
    `--post needs ${name}: ${TOKEN_LINES[name] ?? "jobs at GitHub and GitLab have it. Elsewhere, set it"}`,
  );
}

/** The line of a pipeline, or the place, that gives a job its token. */
const TOKEN_LINES: Readonly<Record<string, string>> = {
  GITHUB_TOKEN: "add 'env: { GITHUB_TOKEN: $\u007b{ github.token }} }' to the step of the workflow",
  GITLAB_TOKEN: "add it to the CI/CD variables of the project: a project access token with the scope `api`",
};

/** The earlier post, on any page of the list. */
async function find({ self, list, isOurs }: PostTarget, ask: Ask): Promise<Item | undefined> {
  const author = self === undefined ? {} : ((await ask({ method: "GET", url: self })).content as Author);
  for (let page: string | undefined = `${list}?per_page=100`; page; ) {
    const { content, next } = await ask({ method: "GET", url: page });
    if (!Array.isArray(content)) throw new Error(`the answer of ${page} is not a list`);
    const found = (content as readonly Item[]).find((item) => isOurs(item, author));
    if (found) return found;
    page = next;
  }
  return undefined;
}
