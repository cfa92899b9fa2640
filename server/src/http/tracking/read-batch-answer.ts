import type { RecordResult } from './tracking-reply.ts';

export type ForwardAnswer = { code: number; rawHeaders: readonly string[]; text: string };

type Result = { Code: number; Message: string; Outcome?: 'unknown' };
type BatchAnswer = { Code: number; Message: string; Results?: Result[] };

/** Reads what another worker of this server has answered to a batch of so many records. */
export function readBatchAnswer({ rawHeaders, text }: ForwardAnswer, records: number): RecordResult[] {
  const { Code, Message, Results }: BatchAnswer = JSON.parse(text);
  const retryAt = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'retry-after');
  const retrySeconds = retryAt === -1 ? undefined : Number(rawHeaders[retryAt + 1]);
  // Refused as a whole, it is refused for each of its records.
  const all: Result[] = Results ?? Array.from({ length: records }, () => ({ Code, Message }));
  if (all.length !== records) throw new Error(`expected ${records} results, got ${all.length}`);
  return all.map(({ Code: code, Message: message, Outcome: outcome }) => ({
    code,
    message,
    retrySeconds,
    outcome,
  }));
}
