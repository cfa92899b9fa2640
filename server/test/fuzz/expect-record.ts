import { type BodyRules, bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';
import { readTime } from '@trackside/contract/tracking/occurred-at.ts';
import type { FuzzCase } from './fuzz-cases.ts';

/** What contract/README.md says. */
const maxBodyBytes = 512 * 1024;
const minuteMs = 60_000;
const reachMs = { back: 25 * 60 * minuteMs, ahead: 5 * minuteMs };

export type Expected = {
  status: 200 | 400 | 401;
  /** The exact Message, where the contract says what it is. */
  message?: string;
  why: string;
};

/** The body can't be read, whatever its JSON is. */
const unreadable = new Set<FuzzCase['dress']>([
  'UTF-16',
  'gzip in name only',
  'brotli in name only',
  'more behind',
  'cut off',
  'folded header',
]);

/** Says how a record must be answered, by the rules of the contract and not by the server's schema. */
export function expectRecord({ target, json, dress }: FuzzCase): Expected {
  const isTooLarge = dress !== 'folded header' && json.text.length > maxBodyBytes;
  const early = expectEarly({ json, dress });
  if (isTooLarge && early?.status !== 401) return { status: 400, why: 'too large' };
  if (early !== undefined) return early;
  const rules = target.path === '/api/page-view' ? bodyRules.pageView : bodyRules.event;
  return expectBody(rules, JSON.parse(json.text.toString()));
}

/** Says how a request must be answered whose JSON can't decide. */
export function expectEarly({ json, dress }: Pick<FuzzCase, 'json' | 'dress'>): Expected | undefined {
  if (/credentials$/.test(dress)) return { status: 401, why: 'its key' };
  if (unreadable.has(dress)) return { status: 400, why: dress };
  return json.isParsable ? undefined : { status: 400, why: 'not JSON' };
}

export function expectBody(rules: BodyRules, body: unknown): Expected {
  const fault = findFaults(rules, body);
  if (fault !== undefined) return { status: 400, message: spellBodyFault(fault), why: fault.path };
  const { OccurredAt } = body as { OccurredAt?: string | null };
  if (isOutOfReach(OccurredAt)) return { status: 400, why: 'too old or ahead' };
  return { status: 200, message: 'Success', why: 'valid' };
}

function isOutOfReach(occurredAt: string | null | undefined): boolean {
  if (occurredAt === undefined || occurredAt === null) return false;
  const agoMs = Date.now() - readTime(occurredAt)!;
  return agoMs > reachMs.back || agoMs < -reachMs.ahead;
}
