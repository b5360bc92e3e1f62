import { parseJson } from "./answer";
import { failureOfContent, isFailure, type ServiceFailure } from "./errors";
import { failureOfReply, send } from "./http";
import { retryWhileTransient } from "./retry";
import { makeRouter } from "./route";

/** Time limit of a request, and the longest time to try again, in seconds (our choice). */
const LIMITS = { requestTimeoutSeconds: 30, retryTimeoutSeconds: 10, onRetry: () => {} };

/** Largest answer that is read, in bytes (our choice): 100 comments of the largest size at GitHub. */
const LARGEST_PAGE = 32 * 1024 * 1024;

/** A request with fields in JSON. */
interface ApiRequest extends Pick<Parameters<typeof send>[0], "method" | "url"> {
  readonly fields?: Readonly<Record<string, string>>;
}

interface ApiAnswer {
  /** An object or a list. */
  readonly content: object;
  /** The address of the next page of a list. */
  readonly next: string | undefined;
}

/** Sends one request. Rejects if it fails. */
export type Ask = (request: ApiRequest) => Promise<ApiAnswer>;

class RequestFailure extends Error {
  constructor(readonly failure: ServiceFailure) {
    super(failure.reason);
  }
}

/**
 * Does some work with requests to another API than the device service's, through the proxy of the environment. After a
 * passing failure, such as HTTP 503, it repeats the whole work: a post whose answer was lost is then found, and not made
 * again.
 * @throws Error with the request, and the cause or the beginning of the answer
 */
export async function withApi(token: string, work: (ask: Ask) => Promise<string>): Promise<string> {
  const router = makeRouter();
  const { signal } = new AbortController();
  const result = await retryWhileTransient(LIMITS, signal, { pass: (task) => task() }, async ({ begin }) => {
    const timeoutSeconds = begin();
    try {
      return { address: await work((request) => ask(request, { token, router, timeoutSeconds })) };
    } catch (error) {
      if (error instanceof RequestFailure) return error.failure;
      throw error;
    }
  });
  if (!isFailure(result)) return result.address;
  const { reason, extract } = result;
  throw new Error(`${reason}${extract ? `, ${JSON.stringify(extract)}` : ""}`);
}

interface Way {
  readonly token: string;
  readonly router: ReturnType<typeof makeRouter>;
  readonly timeoutSeconds: number;
}

async function ask({ method, url, fields }: ApiRequest, { token, router, timeoutSeconds }: Way): Promise<ApiAnswer> {
  const failed = (failure: ServiceFailure) =>
    new RequestFailure({ ...failure, reason: `${method} ${url}: ${failure.reason}` });
  const route = await router(url);
  if (isFailure(route)) throw failed(route);
  const reply = await send({
    ...{ method, url, route, timeoutSeconds },
    key: "forge",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(fields && { body: JSON.stringify(fields) }),
    largestBody: LARGEST_PAGE,
  });
  if (isFailure(reply)) throw failed(reply);
  const { response, body } = reply;
  const secrets = new Set([token]);
  if (!response.ok) throw failed(failureOfReply(reply, secrets));
  const content = parseJson(body, secrets);
  if (!(content instanceof Object)) throw failed(failureOfContent("the answer is not JSON"));
  return { content, next: /<([^<>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] };
}
