import { z } from "zod";
import { isLoopback } from "../service/route";

/** The address of a server that receives a secret: https, or http on loopback, with only an origin and a path. */
export const serviceUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (reason: string) => {
    context.addIssue(reason);
    return z.NEVER;
  };
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("is not an https URL such as https://api.example.com");
  if (url.username || url.password)
    return refuse("must not contain a user or password: set credentials in their own keys");
  if (url.search || url.hash) return refuse("must not have a query or a fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return refuse(
      `uses http to ${url.hostname}, which would send the token unencrypted: use https. http is accepted only on loopback`,
    );
  }
  return url.origin + url.pathname;
});
