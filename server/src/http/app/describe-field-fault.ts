import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The limits that a schema may set, depending on its kind. */
type Bounds = {
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  enum?: readonly string[];
};

/**
 * Tells the person who fills in a form what is wrong with a value that does not fit the schema of its field.
 */
export function describeFieldFault(schema: TSchema, value: unknown): string {
  const { maxLength, minimum, maximum, maxItems, enum: words } = schema as Bounds;
  if (words !== undefined) return `Expected ${words.join(' or ')}.`;
  if (Type.IsUnion(schema)) return describeUnionFault(schema.anyOf, value);
  if (Type.IsObject(schema)) return describeObjectFault(schema.properties, value);
  if (Type.IsBoolean(schema)) return 'Expected true or false.';
  if (Type.IsInteger(schema)) return `Expected a whole number from ${minimum} to ${maximum}.`;
  if (Type.IsString(schema)) {
    if (typeof value !== 'string') return 'Expected text.';
    return `Expected at most ${maxLength} characters, got ${value.length}.`;
  }
  if (Type.IsArray(schema)) {
    const isList = Array.isArray(value) && value.length <= maxItems!;
    const wrong = isList ? value.find((one) => !Value.Check(schema.items, one)) : undefined;
    return isList ? describeFieldFault(schema.items, wrong) : `Expected a list of at most ${maxItems}.`;
  }
  throw new Error('expected a schema that a form may have, got another one');
}

function describeObjectFault(properties: Record<string, TSchema>, value: unknown): string {
  const names = Object.keys(properties).join(' and ');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `Expected an object with ${names}.`;
  const members = value as Record<string, unknown>;
  for (const [name, schema] of Object.entries(properties)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!Value.Check(schema, member)) return `${name}: ${describeFieldFault(schema, member)}`;
  }
  return `Expected nothing besides ${names}.`;
}

/** Describes a fault in a union, which is either a choice of values, or something that may also be null. */
function describeUnionFault(choices: readonly TSchema[], value: unknown): string {
  const other = choices.find((choice) => !Type.IsNull(choice) && !Type.IsLiteral(choice));
  if (other !== undefined) return describeFieldFault(other, value);
  const values = choices.map((choice) => (Type.IsLiteral(choice) ? choice.const : 'null'));
  return `Expected ${values.join(' or ')}.`;
}
