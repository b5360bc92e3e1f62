import { z } from "zod";
import type { CredentialOptions } from "../service/credentials";
import { pick } from "../settings/objects";
import { serviceUrl } from "./serviceUrl";

/** A secret, or `file:` and the path of its file. */
function secret(what: string) {
  return z
    .string()
    .regex(
      /^(?:file:[^\p{Cc}]+|(?!file:)[\x21-\x7e]+)$/u,
      `must be ${what} alone, without 'Bearer ', spaces or line breaks`,
    );
}

function words(what: string) {
  return z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, `must be ${what}, on one line`);
}

export const credentialFields = {
  accessToken: secret("a token").optional(),
  tokenCommand: z.string().regex(/\S/, "must be a command that prints a token").optional(),
  oauthTokenUrl: serviceUrl.optional(),
  oauthClientId: words("the id of an OAuth 2.0 client").optional(),
  oauthClientSecret: secret("a client's secret").optional(),
  oauthScope: words("scopes, separated by one space").optional(),
};
export type CredentialKey = keyof typeof credentialFields;
export type CredentialValues = { readonly [K in CredentialKey]?: string };

/** The kinds of credentials, each by its keys. */
const KINDS: readonly (readonly CredentialKey[])[] = [
  ["accessToken"],
  ["tokenCommand"],
  ["oauthTokenUrl", "oauthClientId", "oauthClientSecret", "oauthScope"],
];

/** The keys of each kind of credentials that has at least one of these values. */
export function kindsOf(values: CredentialValues): (readonly CredentialKey[])[] {
  return KINDS.filter((keys) => keys.some((key) => values[key] !== undefined));
}

/** The keys of this kind of credentials that are not set; `accessToken` if none is set. @param values of one kind */
export function missingCredentials(values: CredentialValues): CredentialKey[] {
  const [keys = ["accessToken" as const]] = kindsOf(values);
  return keys.filter((key) => key !== "oauthScope" && values[key] === undefined);
}

/** @param values of one kind, and complete */
export function credentialsOf(values: CredentialValues): CredentialOptions {
  const [keys = []] = kindsOf(values);
  return pick(values as Readonly<Record<string, string>>, keys) as Record<string, string> & CredentialOptions;
}
