import assert from 'node:assert/strict';
import { Compile } from 'typebox/schema';

type Check = (value: unknown, about: string) => void;
const checks = new WeakMap<object, Check>();

/**
 * Fails if a value does not fit a schema of the contract, or has a member that the schema does not describe.
 * Clients have to accept members that they do not know, but a server that sends one has forgotten to document
 * it.
 */
export function assertFits(schema: object, value: unknown, about: string): void {
  let check = checks.get(schema);
  if (check === undefined) {
    check = createCheck(schema);
    checks.set(schema, check);
  }
  check(value, about);
}

function createCheck(schema: object): Check {
  const compiled = Compile(toStrict(schema) as object);
  return (value, about) => {
    if (compiled.Check(value)) return;
    const [, errors] = compiled.Errors(value);
    const faults = errors.map(({ instancePath, message }) => `${instancePath || 'the whole'} ${message}`);
    assert.fail(`${about} does not fit its schema: ${faults.join('; ')}\n${JSON.stringify(value)}`);
  };
}

/** Returns a schema as the OpenAPI document has it, except that objects have no other members. */
function toStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStrict);
  if (typeof value !== 'object' || value === null) return value;
  // The name of a schema is for the document, where it appears once. Here it would appear several times.
  const members = Object.entries(value).filter(([name]) => name !== '$id');
  const strict = Object.fromEntries(members.map(([name, member]) => [name, toStrict(member)]));
  const isObject = strict.type === 'object' && 'properties' in strict;
  return isObject ? { additionalProperties: false, ...strict } : strict;
}
