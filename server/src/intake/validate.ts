import { Compile } from 'typebox/compile';
import type { Parsed } from './parse.ts';
import { malformed, type Refusal } from './refusal.ts';
import { type EventBody, eventSchema, type PageViewBody, pageViewSchema } from './schema/bodies.ts';
import { findFaults } from './schema/find-faults.ts';

export type Valid = { kind: 'page_view'; body: PageViewBody } | { kind: 'event'; body: EventBody };
export type RecordKind = Valid['kind'];

/** Compiles the schemas once; the returned step holds a body against the schema of its endpoint. */
export function createValidate(): (kind: RecordKind, parsed: Parsed) => Valid | Refusal {
  const pageView = Compile(pageViewSchema);
  const event = Compile(eventSchema);
  return (kind, { json }) => {
    if (kind === 'page_view') {
      return pageView.Check(json) ? { kind, body: json } : refuse(pageViewSchema, json);
    }
    return event.Check(json) ? { kind, body: json } : refuse(eventSchema, json);
  };
}

function refuse(schema: Parameters<typeof findFaults>[0], json: unknown): Refusal {
  const { first, count } = findFaults(schema, json);
  const others = count - 1;
  if (others < 1) return malformed(first ?? 'Body: expected the documented members');
  return malformed(`${first} (and ${others} more ${others === 1 ? 'fault' : 'faults'})`);
}
