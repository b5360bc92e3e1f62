import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./project";

export interface Block {
  readonly section: string;
  readonly language: string;
  readonly text: string;
}

/** The fenced code blocks of a document of this repository, each with the title of its section. */
export function blocksOf(file: string): Block[] {
  const document = readFileSync(join(ROOT, file), "utf8");
  return document.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf("\n"));
    return [...part.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
      section,
      language,
      text,
    }));
  });
}
