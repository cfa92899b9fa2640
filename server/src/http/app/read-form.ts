import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import { OperatorError } from '../../operator-error.ts';
import { AppFault } from './app-fault.ts';

/** How one field of a body is read. `schema` is what the documentation says about it. */
export type FormField<Value> = { schema: TSchema; isOptional: boolean; read: (value: unknown) => Value };
export type FormFields = Record<string, FormField<unknown>>;
export type FormValues<Fields extends FormFields> = {
  [Name in keyof Fields]: Fields[Name] extends FormField<infer Value> ? Value : never;
};

/** What is wrong with one field, in words for the person in front of it. */
class FieldFault extends OperatorError {
  override name = 'FieldFault';
}

/** Reads a body, and tells of all that is wrong with it at once. */
export function readForm<Fields extends FormFields>(body: unknown, fields: Fields): FormValues<Fields> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppFault(400, 'Body: expected a JSON object');
  const faults = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(body))
    if (!Object.hasOwn(fields, name)) faults.set(name, 'There is no such field.');
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined && field.isOptional) continue;
    try {
      values[name] = field.read(value);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      faults.set(name, error.message);
    }
  }
  const [first] = faults;
  if (first !== undefined)
    throw new AppFault(400, `${first[0]}: ${first[1]}`, { fields: Object.fromEntries(faults) });
  return values as FormValues<Fields>;
}

/** For the documentation. */
export function formSchema(fields: FormFields): TObject<TProperties> {
  return Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, isOptional }]) => [
        name,
        isOptional ? Type.Optional(schema) : schema,
      ]),
    ),
  );
}

type TextOptions = { max: number; description: string; isSecret?: boolean };

/** A text; `parse` makes something better of it, or throws an OperatorError that says what it should be. */
export function text(options: TextOptions): FormField<string>;
export function text<Value>(options: TextOptions, parse: (text: string) => Value): FormField<Value>;
export function text<Value>(
  { max, description, isSecret }: TextOptions,
  parse?: (text: string) => Value,
): FormField<Value | string> {
  return {
    schema: Type.String({ maxLength: max, description, ...(isSecret && { format: 'password' }) }),
    isOptional: false,
    read(value) {
      if (typeof value !== 'string') throw new FieldFault('Expected a text.');
      if (value.length > max)
        throw new FieldFault(`Expected at most ${max} characters, got ${value.length}.`);
      return parse === undefined ? value : parse(value);
    },
  };
}

export function flag(description: string): FormField<boolean> {
  return {
    schema: Type.Boolean({ description }),
    isOptional: false,
    read(value) {
      if (typeof value !== 'boolean') throw new FieldFault('Expected true or false.');
      return value;
    },
  };
}

export function whole({
  min,
  max,
  description,
}: {
  min: number;
  max: number;
  description: string;
}): FormField<number> {
  return {
    schema: Type.Integer({ minimum: min, maximum: max, description }),
    isOptional: false,
    read(value) {
      if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
        throw new FieldFault(`Expected a whole number from ${min} to ${max}.`);
      return value as number;
    },
  };
}

export function oneOf<const Values extends readonly (string | number)[]>(
  values: Values,
  description: string,
): FormField<Values[number]> {
  return {
    schema: Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
    isOptional: false,
    read(value) {
      const found = values.find((one) => one === value);
      if (found === undefined) throw new FieldFault(`Expected ${values.join(' or ')}.`);
      return found;
    },
  };
}

export function listOf<Value>(
  field: FormField<Value>,
  { max, description }: { max: number; description: string },
): FormField<Value[]> {
  return {
    schema: Type.Array(field.schema, { maxItems: max, description }),
    isOptional: false,
    read(value) {
      if (!Array.isArray(value) || value.length > max)
        throw new FieldFault(`Expected a list of at most ${max}.`);
      return value.map((one) => field.read(one));
    },
  };
}

export function orNull<Value>(field: FormField<Value>): FormField<Value | null> {
  return {
    schema: Type.Union([field.schema, Type.Null()]),
    isOptional: field.isOptional,
    read: (value) => (value === null ? null : field.read(value)),
  };
}

/** A field that may be left out. */
export function optional<Value>(field: FormField<Value>): FormField<Value | undefined> {
  return { ...field, isOptional: true };
}
