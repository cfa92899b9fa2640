import { type BodyRules, bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import { Compile } from 'typebox/compile';
import { malformed, type Refusal } from '../refusal.ts';
import { type EventBody, eventSchema, type PageViewBody, pageViewSchema } from '../schema/bodies.ts';
import type { Parsed } from './parse.ts';

export type Valid = { kind: 'page_view'; body: PageViewBody } | { kind: 'event'; body: EventBody };
export type RecordKind = Valid['kind'];

/** Compiles the schemas once; the returned step holds a body against the schema of its endpoint. */
export function createValidate(): (kind: RecordKind, parsed: Parsed) => Valid | Refusal {
  const pageView = Compile(pageViewSchema);
  const event = Compile(eventSchema);
  return (kind, { json }) => {
    if (kind === 'page_view') {
      return pageView.Check(json) ? { kind, body: json } : refuse(bodyRules.pageView, json);
    }
    return event.Check(json) ? { kind, body: json } : refuse(bodyRules.event, json);
  };
}

function refuse(rules: BodyRules, json: unknown): Refusal {
  return malformed(findFaults(rules, json) ?? 'Body: expected the documented members');
}
