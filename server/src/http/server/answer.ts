import type { Allowance } from '../../intake/contingent/contingent.ts';
import type { RefusalReason } from '../../intake/refusal.ts';

/** The one shape of every body. Those of the tracking endpoints have exactly the first two members. */
export type AnswerBody = { Code: number; Message: string; fault?: string };

export const codeOf: Record<RefusalReason, number> = {
  unauthorized: 401,
  malformed: 400,
  'contingent-used-up': 429,
  'no-salt': 503,
  'journal-full': 503,
  'journal-stalled': 503,
  'journal-closed': 503,
};

export const retryAfterSeconds: Partial<Record<RefusalReason, number>> = {
  'no-salt': 2,
  'journal-full': 30,
  'journal-stalled': 5,
  'journal-closed': 2,
};

/** `fault` is the code by which programs decide; it stays when the words of the message change. */
export function answerText(code: number, message: string, fault?: string): string {
  const body: AnswerBody = { Code: code, Message: message };
  if (fault !== undefined) body.fault = fault;
  return JSON.stringify(body);
}

/** On every answer: what we send is never to be taken for anything but what its Content-Type says. */
export const safeHeaders = ['X-Content-Type-Options', 'nosniff'] as const;

export const successText = answerText(200, 'Success');
export const successHeaders: readonly string[] = [
  ...['Content-Type', 'application/json', 'Content-Length', String(successText.length)],
  ...safeHeaders,
];

/** Header names and values in turn, as writeHead takes them: cheaper than an object on the hot path. */
export function contingentHeaders(allowance: Allowance | undefined): string[] {
  if (allowance === undefined) return [];
  return [
    'Contingent-Limit',
    String(allowance.limit),
    'Contingent-Remaining',
    String(allowance.remaining),
    'Contingent-Reset',
    String(allowance.secondsToReset),
  ];
}
