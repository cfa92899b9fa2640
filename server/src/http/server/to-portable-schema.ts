type Schema = Record<string, unknown>;
type Named = Record<string, Schema>;

const maxInt32 = 2 ** 31 - 1;

/**
 * Writes a schema in a form that client generators understand, with the same meaning. Those for Java and
 * TypeScript stumble over `const`, don't know which numbers fit into which type, and make a class for each
 * choice of a union.
 */
export function toPortableSchema(schema: Schema): Schema {
  const { const: only, properties, patternProperties, items, anyOf, oneOf, ...rest } = schema;
  const additionalProperties = patternProperties
    ? valuesOf(patternProperties as Named)
    : schema.additionalProperties;
  const plain: Schema = only === undefined ? rest : { ...rest, type: typeOf(only), enum: [only] };
  const type = [plain.type].flat();
  if (plain.enum === undefined) {
    if (type.includes('integer')) plain.format = fitsInt32(schema) ? 'int32' : 'int64';
    if (type.includes('number')) plain.format = 'double';
  }
  if (properties !== undefined) plain.properties = mapValues(properties as Named, toPortableSchema);
  if (items !== undefined) plain.items = toPortableSchema(items as Schema);
  if (typeof additionalProperties === 'object')
    plain.additionalProperties = toPortableSchema(additionalProperties as Schema);
  if (oneOf !== undefined) return joinChoices('oneOf', oneOf as Schema[], plain);
  if (anyOf !== undefined) return joinChoices('anyOf', anyOf as Schema[], plain);
  return plain;
}

/** Makes one schema of choices that differ only in their value, or of one that may also be null. */
function joinChoices(word: 'anyOf' | 'oneOf', choices: readonly Schema[], rest: Schema): Schema {
  const all = choices.map(toPortableSchema);
  const others = all.filter(({ type }) => type !== 'null');
  const [first, ...more] = others;
  const isNullable = others.length < all.length;
  const areValues = others.every((one) => one.enum !== undefined && one.type === first!.type);
  if (areValues) {
    const values = others.flatMap((one) => one.enum as unknown[]);
    const description = rest.description ?? first!.description;
    return {
      ...rest,
      ...(description !== undefined && { description }),
      type: isNullable ? [first!.type, 'null'] : first!.type,
      enum: isNullable ? [...values, null] : values,
    };
  }
  if (isNullable && more.length === 0 && typeof first!.type === 'string')
    return { ...first, ...rest, type: [first!.type, 'null'] };
  return { ...rest, [word]: all };
}

/** Returns the schema of the values of an object with any names. */
function valuesOf(patterns: Named): Schema {
  const [[pattern, values] = [], ...more] = Object.entries(patterns);
  if (pattern !== '^.*$' || more.length > 0) throw new Error('expected a pattern for all names, got another');
  return values!;
}

function typeOf(value: unknown): string {
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

const fitsInt32 = ({ minimum, maximum }: Schema) =>
  typeof maximum === 'number' && maximum <= maxInt32 && typeof minimum === 'number' && minimum >= -maxInt32;

function mapValues(values: Named, change: (value: Schema) => Schema): Named {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
