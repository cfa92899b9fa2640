import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';
import { findFaults, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';
import type { Result } from '../faults/result.ts';
import type { EventParameters, Metrics } from './metrics.ts';
import type { RecordPath, TrackRecord } from './record.ts';

export type Malformed = Extract<Result, { kind: 'malformed' }>;

const maxBytesOfCharacter = 3;

export function makePageView(metrics: Metrics): TrackRecord | Malformed {
  return makeRecord('/api/page-view', () => ({ Metrics: metrics }));
}

export function makeEvent(
  name: string,
  parameters: EventParameters,
  metrics: Metrics,
): TrackRecord | Malformed {
  return makeRecord('/api/event-view', () => ({
    Name: name,
    Parameters: listParameters(parameters),
    Metrics: metrics,
  }));
}

/** Makes a record. Validates the JSON of the values, because that is what the server will see. */
function makeRecord(path: RecordPath, makeBody: () => object): TrackRecord | Malformed {
  let body: string;
  try {
    body = JSON.stringify(makeBody());
  } catch {
    // The reason is left out, because a getter can throw anything.
    return malformed(
      'Body: expected values that JSON can hold, got a cycle, a bigint or a getter that throws',
    );
  }
  if (isLongerThan(body, maxBodyBytes)) {
    return malformed(`Body: expected at most ${maxBodyBytes} bytes, got more`);
  }
  const rules = path === '/api/page-view' ? bodyRules.pageView : bodyRules.event;
  const fault = findFaults(rules, JSON.parse(body));
  return fault === undefined ? { key: crypto.randomUUID(), path, body } : malformed(spellBodyFault(fault));
}

const malformed = (message: string): Malformed => ({ kind: 'malformed', code: 400, message });

function isLongerThan(text: string, bytes: number): boolean {
  if (text.length * maxBytesOfCharacter <= bytes) return false;
  return text.length > bytes || new TextEncoder().encode(text).length > bytes;
}

/**
 * Turns the short form into the interface's list. Values that are not text are kept, so that they are refused
 * by name.
 */
function listParameters(parameters: EventParameters): unknown {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return parameters;
  // Undefined values are left out, as in JSON.
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.map(([Name, value]) => ({ Name, Value: toText(value) }));
}

/**
 * Turns a value into text, except NaN and Infinity, which are nearly always a bug and would be counted as
 * words.
 */
function toText(value: unknown): unknown {
  return Number.isFinite(value) || typeof value === 'boolean' ? String(value) : value;
}
