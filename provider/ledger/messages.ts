import type { Message } from "../messages/message";

/** Messages about the files of updates and baselines. */

export function ledgerFails(path: string, reason: string): Message {
  return {
    code: "ledgerFails",
    finding: `nothing is sent, because the ledger ${path} cannot be written (${reason})`,
    advice: "Look at {ledgerFile?}, and at the file's folder and disk, then try again",
    keys: ["ledgerFile"],
  };
}

export function ledgerLineMissing(path: string, reason: string, line: string): Message {
  return {
    code: "ledgerLineMissing",
    finding: `the ledger ${path} cannot be written (${reason}), and nothing more is sent until it can`,
    advice: `This line is missing there: ${line}`,
  };
}

export function journalFails(path: string, reason: string): Message {
  return {
    code: "journalFails",
    finding: `nothing is sent, because ${path}, where baselines are kept, cannot be written (${reason})`,
    advice: "Look at the file's folder and disk, then try again",
  };
}

/** @param before what devices of a site were before the first update, by their names in it */
export function baselines(before: Readonly<Record<string, unknown>>): Message {
  return { code: "baselines", finding: `before the first update: ${JSON.stringify(before)}` };
}
