import { type Message, SECRET } from "../messages/message";

/** Messages about the files of updates and baselines. */

export function ledgerFails(path: string, reason: string): Message {
  return {
    code: "ledgerFails",
    finding: `nothing is sent, because the ledger ${path} cannot be written (${reason})`,
    advice: "Check {ledgerFile?}, the permissions of the file and its folder, and the free space, then try again",
    keys: ["ledgerFile"],
  };
}

/**
 * @param line the line, without secret values
 * @param about `isWhole`: whether the line has no secret values
 */
export function ledgerLineMissing(
  path: string,
  reason: string,
  line: string,
  { isWhole }: { readonly isWhole: boolean },
): Message {
  return {
    code: "ledgerLineMissing",
    finding: `the provider sends nothing more, because the ledger ${path} cannot be written (${reason})`,
    advice: `Make it writable, and append this missing line${isWhole ? "" : `, with its values in place of ${SECRET}`}: ${line}`,
  };
}

export function journalFails(path: string, reason: string): Message {
  return {
    code: "journalFails",
    finding: `nothing is sent, because the file of baselines ${path} cannot be written (${reason})`,
    advice: "Check the permissions of the file and its folder, and the free space, then try again",
  };
}

export function journalUnreadable(path: string, reason: string): Message {
  return {
    code: "journalUnreadable",
    finding: `nothing is sent, because the file of baselines ${path} cannot be read (${reason})`,
    advice: "Make the file readable",
  };
}

/** @param path the file; undefined if there is no place for it */
export function storeUnusable(reason: string, path: string | undefined): Message {
  return {
    code: "storeUnusable",
    finding: `the provider sends nothing, because it cannot use ${path ? `the file ${path}` : "a file"} that all providers of the run share (${reason})`,
    advice:
      "Free disk space, or run chown and chmod 700 on its folder, so that only you can write there. Then run the same command again",
  };
}
