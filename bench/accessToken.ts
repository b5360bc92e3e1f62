import { createHash } from "node:crypto";

/** The token of each contestant, of realistic length: 1,032 characters. Answers are searched for it. */
export const ACCESS_TOKEN = Array.from({ length: 12 }, (_, index) => {
  return createHash("sha512").update(String(index)).digest("base64url");
}).join("");
