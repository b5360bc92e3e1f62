import { isFailure, type ServiceFailure } from "./errors";
import { type OAuthOptions, requestToken } from "./oauth";
import type { Router } from "./route";
import { fileOf, type Grant, readSecret } from "./secret";
import { runTokenCommand } from "./tokenCommand";

/** The source of the access token. Each field has the name of its setting. */
export type CredentialOptions = (
  | { readonly accessToken: string }
  | { readonly tokenCommand: string }
  | OAuthOptions
) & {
  /** The place of the credentials, for messages: several places can have some. */
  readonly from?: string | undefined;
  /** Whether the engine keeps them, so that a refresh or a destroy uses those of the last update. */
  readonly isKept?: boolean | undefined;
};

/** Advice for credentials that the engine keeps. */
const OF_LAST_UP =
  'If you have changed it since the last "pulumi up": refresh and destroy still use the old value. Run "pulumi up" ' +
  "first, or add --run-program";

/** Advice for a token that the service refuses. */
type CredentialRefusal = Pick<ServiceFailure, "code" | "advice" | "keys">;

interface TokenSource {
  /** Makes or reads a token. Never rejects. */
  mint(secrets: Set<string>): Promise<Grant | ServiceFailure>;
  readonly refusal: CredentialRefusal;
  /** Whether its token never changes. */
  readonly isFixed?: boolean;
}

/**
 * A token is renewed so many seconds before it expires, or after half of its lifetime if that is shorter (our choice).
 */
const MARGIN = 60;

/**
 * Shortest time between two refused tokens, and between two failures to get one, in milliseconds (our choice). Without
 * it, a thousand requests would run a command a thousand times.
 */
const PATIENCE = 30_000;

/**
 * The service counts as refusing the token after so many refusals in a row (our choice). Fewer can be about the
 * devices. Without it, an expired token would be sent for each device of a fleet.
 */
const REFUSALS_IN_A_ROW = 20;

/** The access token of a process. It is obtained on first use, shared by all requests, and kept in memory only. */
export class Credentials {
  readonly #source: TokenSource;
  readonly #secrets = new Set<string>();
  #kept: { readonly result: string | ServiceFailure; readonly until: number } | undefined;
  #minting: Promise<string | ServiceFailure> | undefined;
  #discardedAt = Number.NEGATIVE_INFINITY;
  #refusals = 0;

  /** @param timeoutSeconds longest time for a command, or for a request of a token */
  constructor(
    private readonly options: CredentialOptions,
    router: Router,
    timeoutSeconds: number,
  ) {
    this.#source = sourceOf(options, router, timeoutSeconds);
  }

  /** Secrets that must never be shown: the tokens so far and the client's secret. */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** Advice for a token that the service refuses. */
  get refusal(): CredentialRefusal {
    return this.#withOrigin(this.#source.refusal);
  }

  #withOrigin<F extends CredentialRefusal>(failure: F): F {
    return this.options.isKept ? { ...failure, advice: `${failure.advice}. ${OF_LAST_UP}` } : failure;
  }

  /** The token to use now. Concurrent callers share one request for it. */
  async token(): Promise<string | ServiceFailure> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.result;
    this.#minting ??= this.#mint().finally(() => {
      this.#minting = undefined;
    });
    return await this.#minting;
  }

  /** Drops a token that the service refuses. @returns whether another one may be available */
  discard(token: string): boolean {
    if (this.#source.isFixed) return false;
    if (this.#kept?.result !== token) return true; // Another request has already discarded it.
    if (performance.now() < this.#discardedAt + PATIENCE) return false;
    this.#discardedAt = performance.now();
    this.#kept = undefined;
    return true;
  }

  /** Records the result of a request. After too many refusals, no token is given for a while. */
  learn(result: object): void {
    if (typeof this.#kept?.result !== "string") return;
    if (!isFailure(result)) this.#refusals = 0;
    else if (result.isUnauthorized && ++this.#refusals >= REFUSALS_IN_A_ROW) {
      const reason = `not tried, after ${this.#refusals} refusals in a row: ${result.reason}`;
      this.#kept = { result: { ...result, reason }, until: performance.now() + PATIENCE };
      this.#refusals = 0;
    }
  }

  async #mint(): Promise<string | ServiceFailure> {
    const began = performance.now();
    const grant = await this.#source.mint(this.#secrets);
    if (isFailure(grant)) {
      const failure = { ...(grant.transient ? grant : this.#withOrigin(grant)), isUnauthorized: true };
      this.#kept = failure.transient ? undefined : { result: failure, until: performance.now() + PATIENCE };
      return failure;
    }
    const { token, lifetimeSeconds = Number.POSITIVE_INFINITY } = grant;
    this.#secrets.add(token);
    this.#kept = { result: token, until: began + Math.max(lifetimeSeconds - MARGIN, lifetimeSeconds / 2) * 1000 };
    return token;
  }
}

function sourceOf(options: CredentialOptions, router: Router, timeoutSeconds: number): TokenSource {
  const { from } = options;
  const refusal = (key: string, does: string, place = from ?? `{${key}}`): CredentialRefusal => ({
    code: "notAuthorized",
    advice: `Check that ${place} ${does} a valid backend access token`,
    keys: [key],
  });
  if ("tokenCommand" in options) {
    return {
      mint: (secrets) => runTokenCommand(options.tokenCommand, timeoutSeconds, secrets),
      refusal: refusal("tokenCommand", "prints"),
    };
  }
  if ("oauthTokenUrl" in options) {
    return {
      mint: (secrets) => requestToken(options, { router, timeoutSeconds, secrets }),
      refusal: refusal("oauthTokenUrl", "gives"),
    };
  }
  const { accessToken } = options;
  const file = fileOf(accessToken);
  if (file === undefined) {
    return {
      mint: async () => ({ token: accessToken }),
      refusal: refusal("accessToken", "holds", from ?? "SOLAR_CHARGING_ACCESS_TOKEN"),
      isFixed: true,
    };
  }
  return {
    mint: () => readSecret("accessToken", accessToken),
    refusal: refusal("accessToken", "holds", file),
  };
}
