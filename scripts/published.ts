import { join } from "node:path";
import ts from "typescript";

/** A JSON schema, or a part of the schema of a Pulumi package. */
export type Schema = { readonly [key: string]: unknown };

/** A dialect of schemas. */
export interface Dialect {
  /** The schema of a type with a name of its own; undefined if its schema stands in its place. */
  named(name: string, make: () => Schema): Schema | undefined;
  /** The schema of a property that its type does not show in full, such as a range. */
  refined(schema: Schema, property: string): Schema;
  /** The schema of a value of several types. @param merged one object with the properties of all */
  union(all: readonly Schema[], merged: () => Schema): Schema;
  /** The schema of a text of some choices. */
  choice(values: readonly string[]): Schema;
  readonly object: Schema;
}

/** The types that users import, as the source of schemas: their docstrings are the descriptions. */
export class PublishedTypes {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(root: string) {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, composite: false }, root);
    const files = ["scripts/publishedTypes.ts", "provider/index.ts", "provider/native.ts"].map((file) =>
      join(root, file),
    );
    this.#program = ts.createProgram(files, options);
    this.#checker = this.#program.getTypeChecker();
  }

  /** An exported type, class or function. @throws Error if there is none */
  exported(name: string): ts.Symbol {
    const found = this.#find(name);
    if (!found) throw new Error(`${name} is not exported`);
    return found;
  }

  #find(name: string): ts.Symbol | undefined {
    for (const file of this.#program.getRootFileNames()) {
      const module = this.#checker.getSymbolAtLocation(this.#program.getSourceFile(file) as ts.SourceFile);
      const found = module && this.#checker.getExportsOfModule(module).find((one) => one.name === name);
      if (found) return found.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(found) : found;
    }
    return undefined;
  }

  /** The names of the values of an exported constant, by value: `ChargeBy` of `CHARGE BY`. */
  valuesOf(name: string): ReadonlyMap<string, string> {
    const symbol = this.exported(name);
    const members = symbol.valueDeclaration ? this.#checker.getPropertiesOfType(this.#typeOf(symbol)) : [];
    return new Map(
      members.flatMap((one) => {
        const type = this.#typeOf(one);
        return type.isStringLiteral() ? [[type.value, one.name] as const] : [];
      }),
    );
  }

  /** The docstring of a symbol, on one line. */
  docOf(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).replace(/\s+/g, " ");
  }

  /** The schema of one of the types in `Published`. */
  schemaOf(key: string, dialect: Dialect): Schema {
    const published = this.#checker.getDeclaredTypeOfSymbol(this.exported("Published"));
    return this.#object(this.#typeOf(published.getProperty(key) as ts.Symbol), dialect);
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    return this.#checker.getTypeOfSymbol(symbol);
  }

  #object(type: ts.Type, dialect: Dialect): Schema {
    const own = this.#partsOf(type).map((part) => this.#checker.getPropertiesOfType(part));
    const all = new Map(own.flatMap((properties) => properties.map((one) => [one.name, one] as const)));
    const isNeeded = (name: string) =>
      own.every((properties) => properties.some((one) => one.name === name && !this.#isOptional(one)));
    const properties = [...all].map(([name, symbol]) => {
      const schema = this.#schema(this.#typeOf(symbol), dialect);
      const description = this.docOf(symbol);
      const [tag] = symbol.getJsDocTags().filter((one) => one.name === "asType");
      const as = tag && { type: ts.displayPartsToString(tag.text) };
      return [name, dialect.refined({ ...schema, ...as, ...(description && { description }) }, name)] as const;
    });
    const required = [...all.keys()].filter(isNeeded).sort();
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...dialect.object,
    };
  }

  #isOptional(symbol: ts.Symbol): boolean {
    const type = this.#typeOf(symbol);
    return (
      (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
      this.#partsOf(type, { isWhole: true }).some((one) => isNothing(one))
    );
  }

  /** The members of a union without `undefined`, or the type itself. */
  #partsOf(type: ts.Type, { isWhole = false } = {}): readonly ts.Type[] {
    const parts = type.isUnion() ? type.types : [type];
    return isWhole ? parts : parts.filter((one) => !isNothing(one));
  }

  #schema(type: ts.Type, dialect: Dialect): Schema {
    const name = this.#nameOf(type);
    const named = name && dialect.named(name, () => this.#plain(type, dialect));
    return named || this.#plain(type, dialect);
  }

  #plain(type: ts.Type, dialect: Dialect): Schema {
    const parts = this.#partsOf(type);
    const texts = parts.filter((one) => one.isStringLiteral());
    const choices = texts.length > 1 ? [dialect.choice(texts.map(({ value }) => value))] : [];
    if (choices[0] && texts.length === parts.length) return choices[0];
    const [only] = parts;
    if (only === undefined || only.flags & ts.TypeFlags.Unknown) return {};
    if (parts.every((one) => one.flags & ts.TypeFlags.BooleanLike)) {
      const isBoth = parts.length > 1 || only.flags & ts.TypeFlags.Boolean;
      return { type: "boolean", ...(!isBoth && { const: this.#checker.typeToString(only) === "true" }) };
    }
    if (parts.length > 1) {
      const others = parts.filter((one) => !texts.includes(one as ts.StringLiteralType));
      const schemas = [...choices, ...others.map((one) => this.#schema(one, dialect))];
      return dialect.union(schemas, () => this.#object(type, dialect));
    }
    if (only.flags & ts.TypeFlags.StringLike) return { type: "string" };
    if (only.flags & ts.TypeFlags.NumberLike) return { type: "number" };
    if (this.#checker.isArrayType(only)) {
      const [items] = this.#checker.getTypeArguments(only as ts.TypeReference);
      return { type: "array", items: this.#schema(items as ts.Type, dialect) };
    }
    const values = only.getStringIndexType();
    if (values) return { type: "object", additionalProperties: this.#schema(values, dialect) };
    return this.#object(type, dialect);
  }

  /** The name of an exported type; undefined for any other. */
  #nameOf(type: ts.Type): string | undefined {
    const bare = this.#checker.getNonNullableType(type);
    const { aliasSymbol: alias, aliasTypeArguments: [of] = [] } = bare;
    if (alias?.name === "UnwrappedObject" && of) return this.#nameOf(of);
    const { name } = alias ?? bare.getSymbol() ?? { name: "__type" };
    return this.#find(name) && name;
  }
}

function isNothing({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;
}
