import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { isNotUsable, type Message } from "../messages/message";
import { Journal } from "./journal";
import { logsOf } from "./logs";
import { once } from "./once";
import { originOf } from "./origin";
import { runFileOf } from "./runFile";
import { Store } from "./store";

/** The part of the configuration that decides about files. */
interface FileConfiguration {
  readonly baseUrl?: string;
  readonly ledgerFile?: string;
  readonly approved?: { readonly digest: string };
}

/**
 * The files that the processes of a run share, with its store, and its ledger.
 * @param engine address of the engine. Provider processes with the same address belong together
 * @param configuration throws a MessageError if it cannot be used
 */
export function filesOfRun(
  environment: NodeJS.ProcessEnv,
  engine: string | undefined,
  configuration: () => FileConfiguration,
  warn: (message: Message) => Promise<void>,
) {
  // With an unusable configuration, nothing can be sent, but a delete that retains must still work.
  const usable = once(() => unlessNotUsable(configuration) ?? {});
  const origin = once(() => originOf(environment, usable().baseUrl, usable().approved?.digest, () => store.urnOfRun));
  const ledger = once(() => {
    const { ledgerFile } = configuration();
    return ledgerFile === undefined ? undefined : new Journal(resolve(ledgerFile), origin(), warn);
  });
  const file = runFileOf(environment, engine);
  const store: Store = new Store({
    shared: file,
    journal: once(() => logsOf(environment, unlessNotUsable(ledger), origin, warn)),
    service: () => usable().baseUrl,
    warn,
  });
  /**
   * The file through which the processes of a run share a limit of requests. Without this, each stack of a fleet, and
   * each explicit provider, which is a process of its own, would use the whole limit.
   */
  const paceFile = (baseUrl: string) =>
    file && `${file.path()}-pace-${createHash("sha256").update(baseUrl).digest("hex").slice(0, 16)}.jsonl`;
  return { file, store, paceFile };
}

/** A value that depends on the configuration; undefined if the configuration cannot be used. */
function unlessNotUsable<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (isNotUsable(error)) return undefined;
    throw error;
  }
}
