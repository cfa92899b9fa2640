import type { Rule } from '@trackside/contract/tracking/rule.ts';
import Type, { type TProperties, type TSchema } from 'typebox';

/** A leaf of the body: its JSON type for the document, its rule for the verdict and for the message. */
export function field<T extends TSchema>(type: T, rule: Rule) {
  return Type.Refine(
    type,
    (value) => rule(value) === undefined,
    (value) => rule(value) ?? '',
  );
}

/** A member that may be absent or null. */
export function optional<T extends TSchema>(type: T, rule: Rule) {
  return Type.Optional(field(Type.Union([type, Type.Null()]), rule));
}

/**
 * An object of the body. Unknown members are ignored, so that clients can be newer than the server; one that differs
 * from a known member only in letter case is refused, because ignoring it would lose data without a word.
 */
export function members<P extends TProperties>(properties: P, description: string) {
  const spelling = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return Type.Refine(
    Type.Object(properties, { description }),
    (value) => {
      for (const name in value as object) {
        if (!Object.hasOwn(properties, name) && spelling.has(name.toLowerCase())) return false;
      }
      return true;
    },
    () => 'expected known members in their right spelling',
  );
}
