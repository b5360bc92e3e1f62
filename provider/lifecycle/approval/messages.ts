import type { Message } from "../../messages/message";

export function planNotWritten(path: string, error: unknown): Message {
  return {
    code: "planNotWritten",
    finding: `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    advice: "SOLAR_CHARGING_FOR_APPROVAL names it: set it to a file that the preview can write",
  };
}

export function planNotReadable(path: string, reason: string): Message {
  return {
    code: "planNotReadable",
    finding: `${path} does not show what the change may send (${reason})`,
    advice: "Set SOLAR_CHARGING_FOR_APPROVAL to the path of a new file, and run the preview again",
  };
}

/** @param reason why the set cannot be used, such as `ENOENT` */
export function setNotUsable(path: string, reason: string): Message {
  return {
    code: "approvalNotUsable",
    finding: `the approved set ${path} cannot be used (${reason}), so nothing is sent`,
    advice: "Use the file that 'review --approve' wrote, and the digest that its review shows",
  };
}
