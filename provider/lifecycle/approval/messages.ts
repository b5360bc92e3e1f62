import type { Message } from "../../messages/message";

/** @param reason why the set cannot be used, such as `ENOENT` */
export function setNotUsable(path: string, reason: string): Message {
  return {
    code: "approvalNotUsable",
    finding: `the approved set ${path} cannot be used (${reason}), so nothing is sent`,
    advice: "Use the file that 'review --approve' wrote, and the digest that its review shows",
  };
}
