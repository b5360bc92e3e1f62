import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Reader, Writer } from "protobufjs/minimal";
import type { Properties } from "../settings/objects";

/**
 * Longest text in a request, in characters (our choice). Checks refuse a text of more than a few hundred characters,
 * and their answer repeats it.
 */
const LONGEST = 100_000;

/** Deepest nesting of values (our choice; a site needs six). */
const DEEPEST = 50;

/**
 * Tags of fields in protobuf's encoding: entries of a struct and items of a list; parts of an entry; kinds of a value.
 */
const ITEM = 0x0a;
const [KEY, VALUE] = [0x0a, 0x12];
const [NULL, NUMBER, TEXT, BOOLEAN, STRUCT, LIST] = [0x08, 0x11, 0x1a, 0x20, 0x2a, 0x32];

/**
 * The encoded form of structs. Without it, the generated code would create three objects for each value. This took a
 * sixth of the plugin's CPU time.
 */
const encoded = new WeakMap<Struct, Uint8Array>();

const { serializeBinaryToWriter } = Struct;
const { toJavaScript } = Struct.prototype;

Struct.deserializeBinaryFromReader = (struct, reader) => {
  const start = reader.getCursor();
  while (reader.nextField()) reader.skipField();
  encoded.set(struct, reader.getBuffer().subarray(start, reader.getCursor()));
  return struct;
};

Struct.serializeBinaryToWriter = (struct, writer) => {
  const bytes = encoded.get(struct);
  if (bytes) writer.writeSerializedMessage(bytes, 0, bytes.length);
  else serializeBinaryToWriter(struct, writer);
};

Struct.prototype.toJavaScript = function (this: Struct) {
  const bytes = encoded.get(this);
  return bytes ? fieldsIn(Reader.create(bytes), bytes.length, 0) : toJavaScript.call(this);
};

/** The properties in a struct of a request. @throws Error if they are nested too deeply, or have too long a text */
export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** The struct of properties. Those that are undefined are left out. */
export function toStruct(properties: Properties): Struct {
  const struct = new Struct();
  encoded.set(struct, writeFields(Writer.create(), properties).finish());
  return struct;
}

/** Reads a struct that ends at a position. */
function fieldsIn(reader: Reader, end: number, depth: number): Record<string, JavaScriptValue> {
  const fields: Record<string, JavaScriptValue> = {};
  while (reader.pos < end) {
    reader.uint32();
    const endOfEntry = endIn(reader);
    let key = "";
    let value: JavaScriptValue = null;
    while (reader.pos < endOfEntry) {
      if (reader.uint32() === KEY) key = reader.string();
      else value = valueIn(reader, depth + 1);
    }
    // Without this, a device of this name would silently be left out of its site.
    if (key === "__proto__") throw new Error("the name __proto__ is not possible: choose another name");
    fields[key] = value;
  }
  return fields;
}

function valueIn(reader: Reader, depth: number): JavaScriptValue {
  if (depth > DEEPEST) throw new Error(`the inputs are nested more than ${DEEPEST} levels deep: flatten them`);
  const end = endIn(reader);
  let value: JavaScriptValue = null;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === NUMBER) value = reader.double();
    else if (tag === TEXT) value = textIn(reader);
    else if (tag === BOOLEAN) value = reader.bool();
    else if (tag === STRUCT) value = fieldsIn(reader, endIn(reader), depth);
    else if (tag === LIST) value = itemsIn(reader, endIn(reader), depth);
    else reader.skipType(tag & 7);
  }
  return value;
}

function itemsIn(reader: Reader, end: number, depth: number): JavaScriptValue[] {
  const items: JavaScriptValue[] = [];
  while (reader.pos < end) {
    reader.uint32();
    items.push(valueIn(reader, depth + 1));
  }
  return items;
}

function textIn(reader: Reader): string {
  const text = reader.string();
  if (text.length <= LONGEST) return text;
  throw new Error(`a text of ${text.length} characters is too long: at most ${LONGEST} are possible`);
}

/**
 * Reads the length of a part.
 * @returns the position at which the part ends
 */
function endIn(reader: Reader): number {
  return reader.uint32() + reader.pos;
}

function writeFields(writer: Writer, fields: object): Writer {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    writer.uint32(ITEM).fork().uint32(KEY).string(key.toWellFormed());
    writeValue(writer.uint32(VALUE), value).ldelim();
  }
  return writer;
}

/** Writes a value with its length. */
function writeValue(writer: Writer, value: unknown): Writer {
  writer.fork();
  if (typeof value === "number") writer.uint32(NUMBER).double(value);
  else if (typeof value === "string") writer.uint32(TEXT).string(value.toWellFormed());
  else if (typeof value === "boolean") writer.uint32(BOOLEAN).bool(value);
  else if (Array.isArray(value)) writeItems(writer.uint32(LIST).fork(), value).ldelim();
  else if (typeof value === "object" && value !== null) writeFields(writer.uint32(STRUCT).fork(), value).ldelim();
  else writer.uint32(NULL).uint32(0);
  return writer.ldelim();
}

function writeItems(writer: Writer, items: readonly unknown[]): Writer {
  for (const item of items) writeValue(writer.uint32(ITEM), item);
  return writer;
}
