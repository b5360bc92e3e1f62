import { failureOfTokenEndpoint, isFailure, type ServiceFailure } from "./errors";
import { failureOfReply, type Reply, send } from "./http";
import type { Router } from "./route";
import { type Grant, readSecret, SECRET_FORM } from "./secret";

/** OAuth 2.0 client credentials (RFC 6749, 4.4). Each field has the name of its setting. */
export interface OAuthOptions {
  readonly oauthTokenUrl: string;
  readonly oauthClientId: string;
  readonly oauthClientSecret: string;
  /** Scopes, separated by spaces. */
  readonly oauthScope?: string;
}

interface OAuthContext {
  readonly router: Router;
  /** Longest time for the request, in seconds. */
  readonly timeoutSeconds: number;
  /** Texts in an answer that are never shown. The client's secret is added. */
  readonly secrets: Set<string>;
}

const KEY = "oauthTokenUrl";

/** Sends one request to the token endpoint, with the client's secret as basic authentication (RFC 6749, 2.3.1). */
export async function requestToken(options: OAuthOptions, context: OAuthContext): Promise<Grant | ServiceFailure> {
  const secret = await readSecret("oauthClientSecret", options.oauthClientSecret);
  if (isFailure(secret)) return secret;
  context.secrets.add(secret.token);
  const oauth = await import("oauth4webapi");
  const server = { issuer: new URL(options.oauthTokenUrl).origin, token_endpoint: options.oauthTokenUrl };
  const client = { client_id: options.oauthClientId };
  let refused: ServiceFailure | undefined;
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(secret.token),
      options.oauthScope === undefined ? {} : { scope: options.oauthScope },
      {
        [oauth.allowInsecureRequests]: true, // The configuration accepts http on loopback only.
        [oauth.customFetch]: async (url, { headers, body }) => {
          const reply = await post(url, headers, String(body), context);
          if (isFailure(reply)) refused = reply;
          else if (reply.response.status !== 200) refused = refusal(reply, context);
          if (refused || isFailure(reply)) throw new Error("no answer to look into");
          const type = reply.response.headers.get("content-type") ?? "";
          return new Response(reply.body, { headers: { "Content-Type": type } });
        },
      },
    );
    const { access_token: token, expires_in: lifetimeSeconds } = await oauth.processClientCredentialsResponse(
      server,
      client,
      response,
    );
    if (!SECRET_FORM.test(token)) throw new Error("the token contains characters that cannot be sent");
    return { token, ...(lifetimeSeconds !== undefined && { lifetimeSeconds }) };
  } catch (error) {
    // The library's messages are constants that quote nothing of the answer, so they are safe to show.
    const reason = `the answer is not from a token endpoint: ${(error as Error).message}`;
    const failure = refused ?? failureOfTokenEndpoint(reason);
    const keys = [...new Set([KEY, ...(failure.keys ?? [])])];
    return { ...failure, keys, reason: `no access token from {${KEY}}: ${failure.reason}` };
  }
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { router, timeoutSeconds, secrets }: OAuthContext,
): Promise<Reply | ServiceFailure> {
  const basic = (headers.authorization as string).replace("Basic ", "");
  secrets.add(basic).add(atob(basic).replace(/^[^:]*:/, "")); // The client's id is not a secret, so answers may show it.
  const route = await router(url);
  if (isFailure(route)) return route;
  return await send({ url, key: KEY, method: "POST", headers, body, route, timeoutSeconds });
}

/**
 * The failure for an answer without a token. It does not have the status, which would count as that of the device
 * service. An answer that may contain a token, for example with status 201, is not shown, because that token is not
 * known as a secret.
 */
function refusal(reply: Reply, { secrets }: OAuthContext): ServiceFailure {
  const mayHoldToken = reply.response.ok || /_token/.test(reply.body);
  const { status: _, ...failure } = failureOfReply(mayHoldToken ? { ...reply, body: "" } : reply, secrets);
  if (failure.transient) return failure;
  return { ...failure, ...failureOfTokenEndpoint(failure.reason) };
}
