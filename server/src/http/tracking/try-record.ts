import type { UnderstoodRecord } from '../../intake/dry-run.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { Tracking } from './create-tracking.ts';

type TriedRecord = {
  code: number;
  message: string;
  isExcluded: boolean;
  understood: UnderstoodRecord | null;
};

/**
 * Judges a record as if a backend had sent it with this key as a dry run. Returns undefined while the key
 * isn't known yet.
 */
export async function tryRecord(
  tracking: Pick<Tracking, 'open' | 'canOpenLater' | 'openLater' | 'judge'>,
  { apiKey, kind, body }: { apiKey: string; kind: RecordKind; body: Buffer },
): Promise<TriedRecord | undefined> {
  const headers = { authorization: apiKey, idempotencyKey: undefined, dryRun: '1' };
  const open = () => tracking.open(kind, headers);
  const first = open();
  const opened = tracking.canOpenLater(first, headers) ? await tracking.openLater(open, headers) : first;
  if ('refused' in opened) return undefined;
  const { code, message, excluded, understood } = tracking.judge(opened, body);
  return { code, message, isExcluded: excluded !== null, understood: understood ?? null };
}
