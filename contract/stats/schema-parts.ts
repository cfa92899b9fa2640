import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/** Each schema is written as the OpenAPI document shows it, with the type that TypeBox infers for it. */

type Options = Readonly<Record<string, unknown>>;

/** An object whose members are known, so that the reader of questions can list them. */
export type ObjectSchema<Members extends TProperties> = TUnsafe<Static<TObject<Members>>> & {
  properties: Members;
};

/** A name from a list. */
export type EnumSchema<Name extends string> = TUnsafe<Name> & { enum: readonly Name[] };

export type WholeSchema = TUnsafe<number> & { minimum: number; maximum?: number };

/**
 * Gives a schema a name. The document describes it once under its name, and refers to it wherever it is part
 * of another schema.
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return Type.Unsafe<Static<Schema>>({ ...schema, $id: name }) as unknown as Schema;
}

export function text(description?: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', ...(description !== undefined && { description }) });
}

export function whole(minimum: number, maximum?: number, options: Options = {}): WholeSchema {
  const schema = { type: 'integer', minimum, ...(maximum !== undefined && { maximum }), ...options };
  return Type.Unsafe<number>(schema) as WholeSchema;
}

export function oneName<Name extends string>(
  names: readonly Name[],
  options: Options = {},
): EnumSchema<Name> {
  return Type.Unsafe<Name>({ type: 'string', enum: [...names], ...options }) as EnumSchema<Name>;
}

/** Returns a schema for one of the keys of a table, which says what each key means. */
export function oneOfTable<Name extends string>(table: Readonly<Record<Name, string>>): EnumSchema<Name> {
  const names = Object.keys(table) as Name[];
  return oneName(names, { description: names.map((name) => `- \`${name}\`: ${table[name]}`).join('\n') });
}

/** Returns a schema for one of the codes of a table of faults, which has their statuses. */
export function oneCode<Code extends string>(
  statuses: Readonly<Record<Code, number>>,
  meanings: Readonly<Record<Code, string>>,
): EnumSchema<Code> {
  const codes = Object.keys(statuses) as Code[];
  const lines = codes.map((code) => `- \`${code}\` (${statuses[code]}): ${meanings[code]}`);
  const description = `The reason, for programs. It stays the same even if the message changes.\n${lines.join('\n')}`;
  return oneName(codes, { description });
}

export function exactly<const Value extends string | number>(value: Value): TUnsafe<Value> {
  return Type.Unsafe<Value>({ const: value });
}

export function list<Items extends TSchema>(
  items: Items,
  options: Options = {},
): TUnsafe<readonly Static<Items>[]> {
  return Type.Unsafe<readonly Static<Items>[]>({ type: 'array', ...options, items });
}

export function oneOf<const Schemas extends readonly TSchema[]>(
  schemas: Schemas,
  options: Options = {},
): TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({ oneOf: schemas, ...options });
}

/** Returns a schema for an object with these members and no others. */
export function closed<Members extends TProperties>(properties: Members): ObjectSchema<Members> {
  const schema = { type: 'object', additionalProperties: false, properties, ...requiredOf(properties) };
  return Type.Unsafe<Static<TObject<Members>>>(schema) as ObjectSchema<Members>;
}

/**
 * Returns a schema for an object in an answer. The document requires its members, so that generated clients
 * don't have to expect that one is missing, and forbids no others, so that answers can grow.
 */
export function open<Members extends TProperties>(properties: Members): ObjectSchema<Members> {
  const schema = { type: 'object', properties, ...requiredOf(properties) };
  return Type.Unsafe<Static<TObject<Members>>>(schema) as ObjectSchema<Members>;
}

/** Returns the names of all members that are not optional, if there are any. */
function requiredOf(properties: TProperties): { required?: string[] } {
  const { required = [] } = Type.Object(properties) as { required?: string[] };
  return required.length === 0 ? {} : { required };
}
