import type { Operations } from "../../../provider/lifecycle/operations";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import type { Properties } from "../../../provider/settings/objects";
import { contextOf } from "../../support/fakes";

/** Resources have no URN, so no duplicate declaration is refused. */
const CONTEXT = contextOf();

/** The engine's state of a resource between runs. */
export interface Resource {
  readonly name: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** Whether the last update failed in part. The engine then updates again, whatever the diff finds. */
  readonly isUnfinished: boolean;
}

/** The declarations of a program, by the name of the resource. */
export type Program = ReadonlyMap<string, Properties>;

/** One call of a handler. */
export interface HandlerCall {
  readonly operation: Exclude<keyof Operations, "id" | "parse">;
  /** The resource that it is for. */
  readonly name: string;
  /** The state: inputs for a check, otherwise outputs; empty without state. */
  readonly before: Properties;
  /** The declared inputs; without a declaration, the inputs in state. */
  readonly wanted: Properties;
}

/** Wraps every call of a handler. */
export type Watch = <T>(call: HandlerCall, work: () => Promise<T>) => Promise<T>;

/**
 * A stack that calls the handlers as the engine does, in its order, and keeps their answers. One failure ends a run,
 * and keeps the results before it.
 */
export class Stack {
  resources = new Map<string, Resource>();
  /** Resources that a resource of the same name has replaced, and that still have to be deleted. */
  replaced: Resource[] = [];

  /** @param handlers returns those of a new provider process */
  constructor(
    private readonly handlers: () => Operations,
    private readonly watch: Watch,
  ) {}

  async up(program: Program): Promise<void> {
    const handlers = this.handlers();
    for (const [name, declared] of program) await this.#register(handlers, name, declared);
    for (const resource of [...this.resources.values()].filter(({ name }) => !program.has(name))) {
      await this.#delete(handlers, resource);
    }
    for (const resource of [...this.replaced]) await this.#delete(handlers, resource);
  }

  async refresh(): Promise<void> {
    const handlers = this.handlers();
    for (const { name, inputs, outputs } of [...this.resources.values()]) {
      const id = `${outputs.businessId}/${outputs.deviceId}`;
      const found = await this.watch({ operation: "read", name, before: outputs, wanted: inputs }, () =>
        handlers.read(CONTEXT, id, outputs),
      );
      if (found) this.#keep(name, found.inputs, found.outputs);
      else this.resources.delete(name);
    }
  }

  async destroy(): Promise<void> {
    const handlers = this.handlers();
    for (const resource of [...this.resources.values(), ...this.replaced]) await this.#delete(handlers, resource);
  }

  async #register(handlers: Operations, name: string, declared: Properties): Promise<void> {
    const old = this.resources.get(name);
    const before = old?.inputs ?? {};
    const { inputs, problems } = await this.watch({ operation: "check", name, before, wanted: declared }, () =>
      handlers.check(CONTEXT, before, declared),
    );
    if (problems.length > 0) throw new Error(`the check refuses ${JSON.stringify(problems)}`);
    if (!old) return await this.#create(handlers, name, inputs);
    const { outputs } = old;
    const { changes, replaces } = await this.watch({ operation: "diff", name, before: outputs, wanted: inputs }, () =>
      handlers.diff(CONTEXT, outputs, inputs),
    );
    if (replaces.length > 0) {
      await this.#create(handlers, name, inputs);
      this.replaced.push(old);
    } else if (changes.length > 0 || old.isUnfinished) {
      await this.#update(handlers, old, inputs);
    } else {
      this.resources.set(name, { ...old, inputs });
    }
  }

  async #create(handlers: Operations, name: string, inputs: Properties): Promise<void> {
    const old = this.resources.get(name);
    try {
      const { outputs } = await this.watch({ operation: "create", name, before: {}, wanted: inputs }, () =>
        handlers.create(CONTEXT, inputs),
      );
      this.#keep(name, inputs, outputs);
    } catch (error) {
      if (error instanceof PartialError) {
        if (old) this.replaced.push(old);
        this.#keep(name, inputs, error.outputs, true);
      }
      throw error;
    }
  }

  async #update(
    handlers: Operations,
    { name, inputs: oldInputs, outputs }: Resource,
    inputs: Properties,
  ): Promise<void> {
    try {
      const updated = await this.watch({ operation: "update", name, before: outputs, wanted: inputs }, () =>
        handlers.update(CONTEXT, outputs, inputs),
      );
      this.#keep(name, inputs, updated);
    } catch (error) {
      if (error instanceof PartialError) this.#keep(name, oldInputs, error.outputs, true);
      throw error;
    }
  }

  async #delete(handlers: Operations, resource: Resource): Promise<void> {
    const { name, inputs, outputs } = resource;
    await this.watch({ operation: "delete", name, before: outputs, wanted: inputs }, () =>
      handlers.delete(CONTEXT, outputs),
    );
    if (this.resources.get(name) === resource) this.resources.delete(name);
    this.replaced = this.replaced.filter((other) => other !== resource);
  }

  /** Keeps inputs and outputs as JSON, like the engine. */
  #keep(name: string, inputs: Properties, outputs: Properties, isUnfinished = false): void {
    this.resources.set(name, JSON.parse(JSON.stringify({ name, inputs, outputs, isUnfinished })));
  }
}
