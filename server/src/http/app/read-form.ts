import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../../operator-error.ts';
import { AppFault } from './app-fault.ts';
import { describeFieldFault } from './describe-field-fault.ts';

/** How the body of a route is read. `schema` comes from the contract and also documents the route. */
export type Form<Schema extends TObject = TObject> = {
  schema: Schema;
  /** Normalizes a value that fits the schema, or throws an OperatorError that says what was expected. */
  parse?: { [Name in keyof Static<Schema>]?: FieldParser<Static<Schema>, Name> };
  /** Reads a value instead of the schema, if one sentence cannot say everything that may be wrong with it. */
  read?: { [Name in keyof Static<Schema>]?: (value: unknown) => Required<Static<Schema>>[Name] };
};

type FieldParser<Values, Name extends keyof Values> = (
  value: Required<Values>[Name],
) => Required<Values>[Name];

type AnyReader = Record<string, ((value: unknown) => unknown) | undefined>;

/** Reads a body, and reports everything that is wrong with it at once. */
export function readForm<Schema extends TObject>(body: unknown, form: Form<Schema>): Static<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppFault('invalid', 'Body: expected a JSON object');
  const { properties } = form.schema;
  const faults = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(body))
    if (!Object.hasOwn(properties, name)) faults.set(name, 'Unknown field.');
  for (const name of Object.keys(properties)) {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined && !form.schema.required?.includes(name)) continue;
    try {
      values[name] = readField(form, name, value);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      faults.set(name, error.message);
    }
  }
  const [first] = faults;
  if (first !== undefined)
    throw new AppFault('invalid', `${first[0]}: ${first[1]}`, { fields: Object.fromEntries(faults) });
  return values as Static<Schema>;
}

function readField(form: Form, name: string, value: unknown): unknown {
  const read = (form.read as AnyReader | undefined)?.[name];
  if (read !== undefined) return read(value);
  const schema = form.schema.properties[name]!;
  if (!Value.Check(schema, value)) throw new OperatorError(describeFieldFault(schema, value));
  const parse = (form.parse as AnyReader | undefined)?.[name];
  return parse === undefined ? value : parse(value);
}
