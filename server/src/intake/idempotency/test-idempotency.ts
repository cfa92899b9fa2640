/** Shared by the tests of repeats: an intake with a real journal that can be stopped and started again. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pageView } from '../../../test/support/records.ts';
import {
  createFakeClock,
  type FakeClock,
  makeFolder,
  openTestControl,
  silentLog,
} from '../../control/test-control.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { createIntake } from '../create-intake.ts';
import type { RecordKind } from '../steps/validate.ts';
import { openTestNode, secretOf, senderOf, website } from '../test-intake.ts';
import type { Verdict } from '../verdict.ts';
import { type IdempotencyIndexOptions, openIdempotencyIndex } from './idempotency-index.ts';

type Limits = Partial<Pick<IdempotencyIndexOptions, 'maxKeys' | 'maxRecalledBytes'>>;
type Sending = { key?: string; body?: unknown; of?: CachedWebsite; kind?: RecordKind };

export type TestIdempotency = Awaited<ReturnType<typeof startTestIdempotency>>;

export async function startTestIdempotency(
  t: TestContext,
  options: { clock?: FakeClock; maxBytes?: number } = {},
) {
  const clock = options.clock ?? createFakeClock('2026-03-10T09:00:00Z');
  const folder = await makeFolder(t);
  const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock });

  const open = async (limits: Limits = {}) => {
    const parts = await openTestNode({ folder, control, clock, ...options });
    const { journal, contingent, tally } = parts;
    const idempotencyIndex = await openIdempotencyIndex({
      journal,
      clock,
      log: silentLog(),
      maxKeys: 1000,
      maxRecalledBytes: 1e9,
      ...limits,
    });
    const salts = { byDate: { get: () => secretOf(1) }, askForMissing() {} };
    const intake = createIntake({
      apiKeys: new Map(),
      keyUsedAtMs: new Map(),
      contingent,
      tally,
      salts,
      journal,
      idempotencyIndex,
      lateHours: 25,
      clock,
    });
    return { ...parts, idempotencyIndex, intake };
  };
  let current = await open();
  t.after(() => current.journal.close());

  return {
    clock,
    folder: join(folder, 'journal'),
    node: () => current,
    /** Resolves with the outcome: `accepted`, `repeated`, or the reason of the refusal. */
    send({ key, body = pageView(), of = website(), kind = 'page_view' }: Sending): Promise<string> {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      return new Promise((resolve, reject) => {
        const answer = (verdict: Verdict) => resolve(nameOf(verdict));
        const request = { ...senderOf(of), kind, key: key === undefined ? undefined : { text: key } };
        current.intake.take(request, bytes, answer, reject);
      });
    },
    /** Restarts as after a kill: only what is on disk is left. */
    async restart(limits: Limits = {}, between: () => Promise<void> = async () => {}): Promise<void> {
      await current.crash();
      await between();
      current = await open(limits);
    },
  };
}

function nameOf(verdict: Verdict): string {
  if ('refused' in verdict) return verdict.refused;
  return 'repeated' in verdict ? 'repeated' : 'accepted';
}
