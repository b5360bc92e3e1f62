import type { Message } from "../messages/message";

/** Messages about the files of updates and baselines. */

export function ledgerFails(path: string, reason: string): Message {
  return {
    code: "ledgerFails",
    finding: `nothing is sent, because the ledger ${path} cannot be written (${reason})`,
    advice: "Check {ledgerFile?}, the folder of the file, and the disk, then try again",
    keys: ["ledgerFile"],
  };
}

export function ledgerLineMissing(path: string, reason: string, line: string): Message {
  return {
    code: "ledgerLineMissing",
    finding: `the ledger ${path} cannot be written (${reason}); nothing more is sent until it can`,
    advice: `This line is missing: ${line}`,
  };
}

export function journalFails(path: string, reason: string): Message {
  return {
    code: "journalFails",
    finding: `nothing is sent, because the file of baselines ${path} cannot be written (${reason})`,
    advice: "Check the folder of the file, and the disk, then try again",
  };
}

export function journalUnreadable(path: string, reason: string): Message {
  return {
    code: "journalUnreadable",
    finding: `nothing is sent, because the file of baselines ${path} cannot be read (${reason})`,
    advice: "Make the file readable, or name another one",
  };
}

/** @param variable the environment variable with the file's name */
export function storeUnusable(variable: string, reason: string): Message {
  return {
    code: "storeUnusable",
    finding: `the file of ${variable} cannot be used (${reason}); it lists what other stacks declare`,
    advice: "Run the same command again",
  };
}
