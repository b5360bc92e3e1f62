import { appendFileSync, readFileSync } from "node:fs";
import { z } from "zod";
import { MessageError } from "../../messages/message";
import { planNotReadable, planNotWritten } from "./messages";
import { deviceSendsSchema } from "./sends";

/** The variable with the file in which a preview notes the values that the change may send. */
export const PLAN_FILE = "SOLAR_CHARGING_FOR_APPROVAL";

/** One line: the values that an update of one resource may send. */
const lineSchema = z.strictObject({
  /** The id of the preview, which all its processes share. */
  run: z.string(),
  /** The resource; absent if the engine does not name it. */
  urn: z.string().optional(),
  /** Address of the service; absent if it is not configured. */
  service: z.string().optional(),
  devices: z.array(deviceSendsSchema),
});
export type PlanLine = z.infer<typeof lineSchema>;

/** Notes a line. @throws MessageError if it cannot write: without the line, the approved set would lack a resource */
export function notePlan(path: string, line: PlanLine): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new MessageError(planNotWritten(path, error));
  }
}

/**
 * The last line of each resource; none if there is no file, as after the preview of a destroy. A refresh compares a
 * resource with its old program first, and for dynamic resources without naming it. Without this, no preview with a
 * refresh could be approved if the program changes.
 * @throws MessageError if it cannot be read, or has lines of several previews: an approved set would then allow values
 * that nobody has reviewed
 */
export function readPlan(path: string): PlanLine[] {
  const lines = textOf(path)
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => parsed(path, text));
  if (new Set(lines.map(({ run }) => run)).size > 1) {
    throw new MessageError(planNotReadable(path, "it is of several previews: remove it before each preview"));
  }
  return [...new Map(lines.map((line) => [line.urn, line])).values()].filter(({ urn }) => urn !== undefined);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "";
    throw new MessageError(planNotReadable(path, code));
  }
}

function parsed(path: string, text: string): PlanLine {
  try {
    return lineSchema.parse(JSON.parse(text));
  } catch {
    throw new MessageError(planNotReadable(path, "it has a line that this version does not write"));
  }
}
