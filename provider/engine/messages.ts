import type { Message } from "../messages/message";

/** @param problem the schema's problem with an id that cannot be sent */
export function badId(name: string, problem: string | undefined): Message {
  const finding = `${name} ${problem}`;
  if (name !== "businessId") return { code: "badId", finding };
  return { code: "badId", finding, advice: "Give it here, or set {businessId?}", keys: ["businessId"] };
}

export function wakesCar(isPreview: boolean): Message {
  const danger = "getLatestMetrics can wake the car, which drains its 12 V battery";
  const [finding, advice] = isPreview
    ? [`${danger}, so a preview does not call it`, "Skip the call in previews"]
    : [danger, "Read with getDevice, or pass allowWake: true"];
  return { code: "wakesCar", finding, advice };
}

/** The reason why a request was aborted after the user stopped the run. */
export const RUN_STOPPED: Message = { code: "runStopped", finding: "the run was stopped" };

/** @param error the reason why the engine does not get a message with baselines */
export function undelivered(error: Error): Message {
  return {
    code: "undelivered",
    finding: `the message with the earlier values did not reach the engine (${error.message}), so nothing is sent`,
    advice:
      "The message is on standard error. Check that this machine can connect to itself (127.0.0.1), then run the command again",
  };
}
