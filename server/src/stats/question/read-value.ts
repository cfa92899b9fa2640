import { maxTextLength } from '@trackside/contract/stats/limits.ts';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { QuestionError } from './question-error.ts';

/** Reads the value at a path of a question. A fault names the path, what was expected and what was sent. */
export type ReadValue<Value> = (path: string, value: unknown) => Value;

/**
 * Returns a reader for values with a schema in the contract: one of some names, a whole number, or a boolean.
 */
export function createReader<Schema extends TSchema>(schema: Schema): ReadValue<Static<Schema>> {
  let validator: Validator | undefined;
  return (path, value) => {
    // Compiled for the first question, so that commands without questions do not wait for it.
    validator ??= Compile(schema) as Validator;
    if (validator.Check(value)) return value as Static<Schema>;
    throw new QuestionError(`${path}: expected ${spell(schema)}, got ${shown(value)}`);
  };
}

function spell(schema: { type?: string; enum?: string[]; minimum?: number; maximum?: number }): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'boolean') return 'true or false';
  return `a whole number from ${schema.minimum} to ${schema.maximum}`;
}

type ObjectSchema = { properties: Readonly<Record<string, unknown>> };

/** Returns the members of an object as they came. The schemas list all members that are allowed. */
export function readObject(
  path: string,
  value: unknown,
  ...schemas: readonly ObjectSchema[]
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new QuestionError(`${path}: expected an object, got ${shown(value)}`);
  const isKnown = (name: string) => schemas.some(({ properties }) => Object.hasOwn(properties, name));
  const unknown = Object.keys(value).find((name) => !isKnown(name));
  // Not ignored, because a question with a misspelled filter would silently be answered as another question.
  if (unknown !== undefined) {
    const known = schemas.flatMap(({ properties }) => Object.keys(properties));
    const expected = known.length === 0 ? 'no members' : `only the members ${known.join(', ')}`;
    throw new QuestionError(`${path}: expected ${expected}, got ${shown(unknown)}`);
  }
  const nothing = Object.entries(value).find(([, member]) => member === null)?.[0];
  if (nothing !== undefined) {
    const place = /^[A-Z]/.test(path) ? nothing : `${path}.${nothing}`;
    throw new QuestionError(`${place}: expected a value, got null; leave it out for the default`);
  }
  return value as Record<string, unknown>;
}

export function readList<Element>(
  path: string,
  value: unknown,
  most: number,
  read: ReadValue<Element>,
): Element[] {
  if (!Array.isArray(value)) throw new QuestionError(`${path}: expected a list, got ${shown(value)}`);
  if (value.length > most)
    throw new QuestionError(`${path}: expected at most ${most} elements, got ${value.length}`);
  return value.map((element, index) => read(`${path}[${index}]`, element));
}

/** Reads a list of at least one element. */
export function readFilled<Element>(
  path: string,
  value: unknown,
  most: number,
  read: ReadValue<Element>,
): Element[] {
  const elements = readList(path, value, most, read);
  if (elements.length > 0) return elements;
  throw new QuestionError(`${path}: expected 1 to ${most} elements, got none`);
}

export function readText(path: string, value: unknown): string {
  if (typeof value !== 'string') throw new QuestionError(`${path}: expected a string, got ${shown(value)}`);
  if (value.length > maxTextLength)
    throw new QuestionError(`${path}: expected at most ${maxTextLength} characters, got ${value.length}`);
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Returns a short form of a value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
