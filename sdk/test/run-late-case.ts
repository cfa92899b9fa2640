import type { LateAnswer, LateCase } from '../../clients/test/load-late-cases.ts';
import { dateRecord } from '../src/queue/date-record.ts';
import { judgeAttempt } from '../src/queue/judge-attempt.ts';
import { makeQueued } from '../src/queue/make-queued.ts';
import { accepted, busy, toAttempt, unanswered, unauthorized, unreached } from '../src/queue/test-queue.ts';
import { addOccurredAt } from '../src/sending/occurred-at.ts';
import { createTestClock } from '../src/time/test-clock.ts';

const attempts = {
  accepted,
  'time-refused': toAttempt({ kind: 'malformed', code: 400, message: 'OccurredAt: expected another' }),
  unauthorized,
  unavailable: busy,
  unknown: { ...busy, isUncertain: true },
  'no-connection': unreached,
  'no-response': unanswered,
} satisfies Record<LateAnswer, unknown>;

/** Returns the body of each attempt that the SDK makes. */
export async function runLateCase(given: LateCase): Promise<string[]> {
  const clock = createTestClock();
  const startMs = clock.monotonicMs();
  clock.setWallClock(given.startedAt * 1000);
  const record = makeQueued({ key: 'key', path: '/api/page-view', body: given.body }, clock, undefined);
  const bodies: string[] = [];
  for (const { after, clock: setS, answer } of given.attempts) {
    await clock.advance(startMs + after * 1000 - clock.monotonicMs());
    clock.setWallClock((given.startedAt + after + setS) * 1000);
    dateRecord(record, clock);
    bodies.push(addOccurredAt(record.body, record.occurredAt));
    const attempt = attempts[answer];
    if (attempt.isUncertain) record.uncertainSince ??= { monotonicMs: clock.monotonicMs(), now: clock.now() };
    judgeAttempt(attempt, record);
  }
  return bodies;
}
