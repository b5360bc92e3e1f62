/** The message to the command line that the engine asks to stop. Once that is gone, the process can serve another one. */
export const ENDED = "ended";

/** The message of the command line that binds a waiting process to one run of an engine. */
export interface Binding {
  /** The variables of the run, with its credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly run: BoundRun;
}

/** The stack of a run of the command line. */
export interface BoundRun {
  readonly stack: string;
  readonly project: string;
}
