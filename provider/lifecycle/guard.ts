import { MessageError, textOf } from "../messages/message";
import { IN_STACK, type Names } from "../messages/names";

/** Longest message of an error, in characters (our choice); the longest of ours has some hundred. */
const LONGEST_MESSAGE = 4000;

/**
 * Runs an operation so that the engine gets an answer that it can take: whatever is thrown becomes an `Error` with a
 * message, in which configuration keys have the names that the user knows. There is no time limit here: each request has its own, which begins when it is sent. One for the operation
 * would end what waits behind other devices in our own queue, and report it as a failure of the service.
 */
export async function guarded<T>(
  operation: string,
  work: () => T | Promise<T>,
  names: () => Names = () => IN_STACK,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toError(operation, error, names);
  }
}

function toError(operation: string, thrown: unknown, names: () => Names): Error {
  const isError = thrown instanceof Error && thrown.message !== "";
  const error = isError
    ? thrown
    : new Error(`${operation} failed: ${typeof thrown === "string" ? thrown : "no reason was given"}`);
  error.message = printable(error instanceof MessageError ? textOf(error.problem, { names: names() }) : error.message);
  return error;
}

/** A text that the engine can take: the host's RPC never ends with one that is very long or ill-formed Unicode. */
function printable(message: string): string {
  return message
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed()
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ");
}
