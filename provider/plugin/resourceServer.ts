import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { failureOf } from "../engine/answers";
import { Secrets } from "../engine/secrets";
import { withoutFront } from "../engine/tokens";
import { LivePreview } from "../lifecycle/liveFindings";
import type { Difference } from "../lifecycle/run/changes";
import type { Context } from "../lifecycle/run/context";
import { PartialError } from "../lifecycle/run/errors";
import { partsOf } from "../messages/names";
import type { EngineRun } from "../run";
import type { Properties } from "../settings/objects";
import { detailOf, type Shown } from "./detail";
import { previewed, type ResourceType, resourceTypes, withProviderString } from "./resources";
import { InitFailure, unary } from "./rpc";
import { fromStruct, toStruct } from "./struct";

type Struct = Parameters<typeof fromStruct>[0];

/** The RPCs about resources. */
export class ResourceServer {
  readonly #types: ReadonlyMap<string, ResourceType>;
  readonly #livePreview: LivePreview;

  constructor(run: () => EngineRun) {
    this.#types = resourceTypes(run);
    this.#livePreview = new LivePreview(run);
  }

  service() {
    return {
      check: unary((request: CheckRequest) => this.#check(request)),
      diff: unary((request: DiffRequest) => this.#diff(request)),
      create: unary((request: CreateRequest) => this.#create(request)),
      read: unary((request: ReadRequest) => this.#read(request)),
      update: unary((request: UpdateRequest) => this.#update(request)),
      delete: unary((request: DeleteRequest) => this.#delete(request)),
    };
  }

  async #check(request: CheckRequest): Promise<CheckResponse> {
    const { type, open, seal, context } = this.#begin(request);
    const [news, olds] = [open(request.getNews()), open(request.getOlds())];
    const { inputs, problems } = await type.operations.check(context(), olds, news);
    const failures = problems.map(failureOf).map(({ property, reason }) => checkFailure(property, reason));
    return new CheckResponse().setInputs(seal(inputs)).setFailuresList(failures);
  }

  async #diff(request: DiffRequest): Promise<DiffResponse> {
    const { type, open, context } = this.#begin(request);
    const [olds, given] = [open(request.getOlds()), open(request.getNews())];
    const news = await type.operations.parse(context(), given);
    await this.#livePreview.warn(type.kind, context(), news, olds);
    const difference = await type.operations.diff(context(), olds, news);
    const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
    const response = new DiffResponse().setReplacesList([...difference.replaces]);
    if (difference.changes.length === 0) return response.setChanges(DIFF_NONE);
    response.setChanges(DIFF_SOME);
    if (!request.hasOldInputs()) return response;
    const detail = detailOf(difference, { oldInputs: open(request.getOldInputs()), news });
    for (const [path, shown] of detail) response.getDetaileddiffMap().set(path, propertyDiff(path, shown, difference));
    const changed = [...new Set([...detail.keys()].map((path) => path.split(/[.[]/)[0] as string))];
    return response.setHasdetaileddiff(detail.size > 0).setDiffsList(changed);
  }

  async #create(request: CreateRequest): Promise<CreateResponse> {
    const { type, open, seal, context, inPart } = this.#begin(request);
    const given = open(request.getProperties());
    const inputs = await type.operations.parse(context(), given);
    if (request.getPreview()) {
      await this.#livePreview.warn(type.kind, context(), inputs);
      await type.operations.diff(context(true), undefined, inputs);
      const { id, outputs } = previewed(type, context(), inputs);
      return new CreateResponse().setId(id).setProperties(seal(outputs));
    }
    const created = type.operations.create(context(), inputs);
    const { id, outputs } = await inPart(created, () => type.operations.id(context(), inputs), inputs);
    return new CreateResponse().setId(id).setProperties(seal(withProviderString(type, outputs)));
  }

  async #update(request: UpdateRequest): Promise<UpdateResponse> {
    const { type, open, seal, context, inPart } = this.#begin(request);
    const [olds, given] = [open(request.getOlds()), open(request.getNews())];
    const inputs = await type.operations.parse(context(), given);
    if (request.getPreview()) {
      // Only a request for an update or a create says whether it belongs to a preview.
      const difference = await type.operations.diff(context(true), olds, inputs);
      const { outputs } = previewed(type, context(), inputs, { olds, ...difference });
      return new UpdateResponse().setProperties(seal(outputs));
    }
    const outputs = await inPart(type.operations.update(context(), olds, inputs), () => request.getId(), inputs);
    return new UpdateResponse().setProperties(seal(withProviderString(type, outputs)));
  }

  /**
   * Reads a resource. In an import, outputs and inputs are missing; for a resource that is only read, they are empty.
   */
  async #read(request: ReadRequest): Promise<ReadResponse> {
    const { type, open, seal, context } = this.#begin(request);
    const isImport = !request.hasProperties() && !request.hasInputs();
    const properties = open(request.getProperties());
    open(request.getInputs());
    const found = isImport
      ? await type.operations.import(context(), request.getId())
      : await type.operations.read(context(), request.getId(), properties);
    if (!found) return new ReadResponse();
    return new ReadResponse()
      .setId(found.id)
      .setProperties(seal(withProviderString(type, found.outputs)))
      .setInputs(seal(found.inputs));
  }

  async #delete(request: DeleteRequest): Promise<Empty> {
    const { type, open, context } = this.#begin(request);
    const outputs = open(request.getProperties());
    await type.operations.delete(context(), outputs);
    return new Empty();
  }

  /**
   * The parts that all handlers share. Only requests with the option `customTimeouts` have a time limit; 0 means none.
   */
  #begin(request: { getUrn(): string; getTimeout?(): number }) {
    const urn = request.getUrn();
    const token = partsOf(urn).type;
    const type = this.#types.get(token);
    if (!type) throw new Error(`this version of the provider has no resource ${token}`);
    const secrets = new Secrets();
    const timeoutSeconds = request.getTimeout?.() ?? 0;
    return {
      type,
      open: (struct: Struct) => withoutFront(secrets.open(fromStruct(struct))),
      seal: (properties: Properties) => toStruct(secrets.seal(properties)),
      /** The context of an operation. It has the secrets of all properties that were opened so far. */
      context: (isPreview = false): Context => ({
        ...{ name: partsOf(urn).name, urn, isPreview, secrets: secrets.inputs(), live: {} },
        ...(timeoutSeconds > 0 && { timeoutSeconds }),
      }),
      /**
       * The result of an operation. After a partial failure, it rejects in a way that makes the engine keep the
       * applied part.
       */
      inPart: async <T>(result: Promise<T>, id: () => string, inputs: Properties): Promise<T> => {
        try {
          return await result;
        } catch (error) {
          if (!(error instanceof PartialError)) throw error;
          throw new InitFailure({
            id: id(),
            inputs: secrets.seal(inputs),
            properties: secrets.seal(withProviderString(type, error.outputs)),
            reasons: error.reasons,
          });
        }
      },
    };
  }
}

export function checkFailure(property: string, reason: string): CheckFailure {
  return new CheckFailure().setProperty(property).setReason(reason);
}

/**
 * The change of a property. It is marked as a change of inputs, because the outputs of a site have its devices under
 * other paths.
 */
function propertyDiff(path: string, shown: Shown, { replaces }: Difference): PropertyDiff {
  const { ADD, ADD_REPLACE, UPDATE, UPDATE_REPLACE, DELETE, DELETE_REPLACE } = PropertyDiff.Kind;
  const kinds = {
    add: [ADD, ADD_REPLACE],
    update: [UPDATE, UPDATE_REPLACE],
    delete: [DELETE, DELETE_REPLACE],
  } as const;
  return new PropertyDiff().setKind(kinds[shown][replaces.includes(path) ? 1 : 0]).setInputdiff(true);
}
