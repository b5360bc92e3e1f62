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
import { ours } from "../engine/tokens";
import type { Difference } from "../lifecycle/changes";
import type { Properties } from "../lifecycle/state";
import { nameIn, typeIn } from "../lifecycle/urn";
import type { Run } from "../run";
import { detailOf, type Shown } from "./detail";
import { inPart, kept, LivePreview, previewed, type ResourceType, resourceTypes } from "./resources";
import { fromStruct, InitFailure, toStruct, unary } from "./rpc";
import { Secrets } from "./secrets";

type Struct = Parameters<typeof fromStruct>[0];

/** What the engine asks about resources. */
export class ResourceServer {
  readonly #types: ReadonlyMap<string, ResourceType>;
  #livePreview: LivePreview | undefined;

  constructor(private readonly run: () => Run) {
    this.#types = resourceTypes(run);
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
    const urn = request.getUrn();
    const type = this.#typeOf(urn);
    const { secrets, open } = this.#opener();
    const [news, olds] = [open(request.getNews()), open(request.getOlds())];
    const __program = { urn, secrets: secrets.pathsIn(news) };
    const given = { ...news, ...(type.kind ? {} : { site: nameIn(urn) }), __program };
    const { inputs, problems } = await type.operations.check(olds, given);
    const failures = problems.map(failureOf).map(({ property, reason }) => checkFailure(property, reason));
    return new CheckResponse().setInputs(toStruct(secrets.seal(inputs))).setFailuresList(failures);
  }

  async #diff(request: DiffRequest): Promise<DiffResponse> {
    const type = this.#typeOf(request.getUrn());
    const { open } = this.#opener();
    const [olds, news] = [open(request.getOlds()), open(request.getNews())];
    const difference = await type.operations.diff(olds, news);
    const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
    const response = new DiffResponse().setReplacesList([...difference.replaces]);
    if (difference.changes.length === 0) return response.setChanges(DIFF_NONE);
    response.setChanges(DIFF_SOME);
    if (!request.hasOldInputs()) return response;
    const detail = detailOf(difference.changes, { oldInputs: open(request.getOldInputs()), news });
    for (const [path, shown] of detail) response.getDetaileddiffMap().set(path, propertyDiff(path, shown, difference));
    const changed = [...new Set([...detail.keys()].map((path) => path.split(/[.[]/)[0] as string))];
    return response.setHasdetaileddiff(detail.size > 0).setDiffsList(changed);
  }

  async #create(request: CreateRequest): Promise<CreateResponse> {
    const type = this.#typeOf(request.getUrn());
    const { secrets, open } = this.#opener();
    const inputs = open(request.getProperties());
    if (request.getPreview()) {
      this.#livePreview ??= new LivePreview(this.run());
      await this.#livePreview.warn(type, inputs, request.getUrn());
      const { id, outputs } = previewed(type, inputs);
      return new CreateResponse().setId(id).setProperties(toStruct(secrets.seal(outputs)));
    }
    const { id, outputs } = await inPart(
      () => type.operations.create(inputs),
      (part, reasons) => this.#failure(type, secrets, { id: type.operations.id(inputs), inputs, part, reasons }),
    );
    return new CreateResponse()
      .setId(id)
      .setProperties(toStruct(secrets.seal(kept(type, outputs))))
      .setRefreshBeforeUpdate(this.#refreshes());
  }

  async #update(request: UpdateRequest): Promise<UpdateResponse> {
    const type = this.#typeOf(request.getUrn());
    const { secrets, open } = this.#opener();
    const [olds, inputs] = [open(request.getOlds()), open(request.getNews())];
    if (request.getPreview()) {
      const { outputs } = previewed(type, inputs);
      return new UpdateResponse().setProperties(toStruct(secrets.seal(outputs)));
    }
    const outputs = await inPart(
      () => type.operations.update(olds, inputs),
      (part, reasons) => this.#failure(type, secrets, { id: request.getId(), inputs, part, reasons }),
    );
    return new UpdateResponse()
      .setProperties(toStruct(secrets.seal(kept(type, outputs))))
      .setRefreshBeforeUpdate(this.#refreshes());
  }

  /** Of an import, neither outputs nor inputs are there; of a resource that is only read, they are there and empty. */
  async #read(request: ReadRequest): Promise<ReadResponse> {
    const type = this.#typeOf(request.getUrn());
    const { secrets, open } = this.#opener();
    const isImport = !request.hasProperties() && !request.hasInputs();
    const properties = open(request.getProperties());
    open(request.getInputs());
    const found = isImport
      ? await type.operations.import(request.getId())
      : await type.operations.read(request.getId(), properties);
    if (!found) return new ReadResponse();
    return new ReadResponse()
      .setId(found.id)
      .setProperties(toStruct(secrets.seal(kept(type, found.outputs))))
      .setInputs(toStruct(secrets.seal(found.inputs)))
      .setRefreshBeforeUpdate(this.#refreshes());
  }

  async #delete(request: DeleteRequest): Promise<Empty> {
    const type = this.#typeOf(request.getUrn());
    this.run().claims.see(request.getUrn());
    await type.operations.delete(this.#opener().open(request.getProperties()));
    return new Empty();
  }

  #failure(
    type: ResourceType,
    secrets: Secrets,
    { id, inputs, part, reasons }: { id: string; inputs: Properties; part: Properties; reasons: readonly string[] },
  ): InitFailure {
    return new InitFailure({
      id,
      inputs: secrets.seal(inputs),
      properties: secrets.seal(kept(type, part)),
      reasons,
      refreshBeforeUpdate: this.#refreshes(),
    });
  }

  /** Whether the engine is to read a resource before each preview and update, so that one `up` shows and repairs drift. */
  #refreshes(): boolean {
    return this.run().configuration().livePreview;
  }

  #opener() {
    const secrets = new Secrets();
    return { secrets, open: (struct: Struct) => ours(secrets.open(fromStruct(struct))) };
  }

  #typeOf(urn: string): ResourceType {
    const token = typeIn(urn);
    const type = this.#types.get(token);
    if (!type) throw new Error(`this version of the provider has no resource ${token}`);
    return type;
  }
}

export function checkFailure(property: string, reason: string): CheckFailure {
  return new CheckFailure().setProperty(property).setReason(reason);
}

/** Compared are inputs: the outputs of a site have its devices at another place. */
function propertyDiff(path: string, shown: Shown, { replaces }: Difference): PropertyDiff {
  const { ADD, ADD_REPLACE, UPDATE, UPDATE_REPLACE, DELETE, DELETE_REPLACE } = PropertyDiff.Kind;
  const kinds = {
    add: [ADD, ADD_REPLACE],
    update: [UPDATE, UPDATE_REPLACE],
    delete: [DELETE, DELETE_REPLACE],
  } as const;
  return new PropertyDiff().setKind(kinds[shown][replaces.includes(path) ? 1 : 0]).setInputdiff(true);
}
