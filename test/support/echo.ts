/** A request's Authorization header in the forms in which answers, pages and logs show it. */
export function echoesOf(authorization: string): [string, ...string[]] {
  const secret = secretOf(authorization);
  const inUrl = encodeURIComponent(secret);
  return [
    authorization,
    secret,
    JSON.stringify({ authorization }),
    JSON.stringify({ log: JSON.stringify({ secret }) }),
    inUrl,
    inUrl.replace(/%../g, (octet) => octet.toLowerCase()),
    secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    Buffer.from(secret).toString("base64"),
    Buffer.from(authorization).toString("base64"),
    Buffer.from(secret).toString("hex"),
    secret.slice(0, secret.length * 0.8), // As in a truncated line.
  ];
}

/** The token of a bearer header, or the client's secret in a basic one (RFC 6749, 2.3.1). */
export function secretOf(authorization: string): string {
  const [, basic] = authorization.match(/^Basic (.*)/) ?? [];
  if (basic === undefined) return authorization.replace("Bearer ", "");
  const [, secret = ""] = atob(basic).split(":");
  return decodeURIComponent(secret.replaceAll("+", "%20"));
}
