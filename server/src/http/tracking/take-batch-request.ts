import { inSlices } from '../../concurrency/in-slices.ts';
import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { type BatchRecord, type RefusedRecord, readBatch } from '../../intake/batch/read-batch.ts';
import type { Intake, OpenBatch } from '../../intake/create-intake.ts';
import { internalFault, type Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import type { Sender } from '../../intake/tally/open-tally.ts';
import type { Accepted, Excluded, Repeated, Verdict } from '../../intake/verdict.ts';
import type { Log } from '../../log.ts';
import { answerText, successText } from '../server/answer.ts';
import {
  codeOf,
  contingentHeaders,
  internalRetrySeconds,
  isUnsure,
  retryAfterSeconds,
} from './answer-parts.ts';
import type { CountVerdict } from './count-verdict.ts';
import type { Forwarding } from './forward-records.ts';
import type { RecentRequests } from './recent-requests.ts';
import type { RecordResult, TrackingReply } from './tracking-reply.ts';

type Parts = {
  intake: Pick<Intake, 'takeBatch' | 'allowance'>;
  recent: Pick<RecentRequests, 'refused'>;
  forward?: Forwarding | undefined;
  storeWaits: Pick<StoreWaits, 'refusal' | 'wait'> | undefined;
  countVerdict: CountVerdict;
  count: (reason: string) => void;
  /** Notes a record that is about to be answered with 200. */
  acknowledge: (kind: RecordKind, website: CachedWebsite, verdict: Accepted | Repeated) => void;
  /** Notes a record that a rule of the website excludes. */
  exclude: (kind: RecordKind, website: CachedWebsite, verdict: Excluded) => void;
  /** Answers a batch that is refused as a whole. */
  refuse: (
    refusal: Refusal,
    kind: 'batch',
    of: { website: CachedWebsite; sender: Sender },
    reply: TrackingReply,
  ) => void;
  answerOther: (
    reply: TrackingReply,
    code: number,
    message: string,
    headers: string[],
    text?: string,
  ) => string;
  log: Log;
};

const success: RecordResult = { code: 200, message: 'Success' };

/** Creates the function that takes a batch apart, has each record judged, and answers when all of them are. */
export function createTakeBatchRequest(parts: Parts) {
  const { intake, recent, forward, storeWaits, count, acknowledge, log } = parts;
  /** One after the other: several at once would take more memory and be ready no sooner. */
  const inTurn = limitConcurrency({ places: 1, maxWaiting: Number.POSITIVE_INFINITY });

  async function take(batch: OpenBatch, body: Buffer, reply: TrackingReply): Promise<void> {
    const { website } = batch;
    const records = await inTurn(() => inSlices(readBatch(body)));
    if ('refused' in records) {
      parts.refuse(records, 'batch', { website, sender: batch }, reply);
      return;
    }
    const results = await judge(batch, records);
    answer(website, results, reply);
  }

  /** Returns the answers in the order of the records. */
  async function judge(
    batch: OpenBatch,
    records: readonly (BatchRecord | RefusedRecord)[],
  ): Promise<RecordResult[]> {
    const results: RecordResult[] = new Array(records.length);
    const own: number[] = [];
    const refused: Promise<void>[] = [];
    const ofOthers = new Map<number, number[]>();
    for (const [at, record] of records.entries()) {
      if ('refusal' in record) {
        refused.push(refuseLater(batch, record).then((result) => put([result], [at])));
        continue;
      }
      const owner = record.key && forward?.ownerOf(batch.website, record.key);
      if (owner === undefined) own.push(at);
      else ofOthers.set(owner, [...(ofOthers.get(owner) ?? []), at]);
    }
    const of = (places: readonly number[]) => places.map((at) => records[at] as BatchRecord);
    await Promise.all([
      ...refused,
      takeOwn(batch, of(own)).then((taken) => put(taken, own)),
      ...[...ofOthers].map(async ([owner, places]) =>
        put(
          await forward!.batch(
            owner,
            batch,
            of(places).map(({ sent }) => sent),
          ),
          places,
        ),
      ),
    ]);
    return results;

    function put(taken: readonly RecordResult[], places: readonly number[]): void {
      for (const [index, at] of places.entries()) results[at] = taken[index]!;
    }
  }

  /** Has this process judge the records. Resolves when each of them has its answer. */
  function takeOwn(batch: OpenBatch, records: readonly BatchRecord[]): Promise<RecordResult[]> {
    const { website } = batch;
    const away = storeWaits?.refusal();
    if (away !== undefined)
      return Promise.resolve(records.map((record) => refuseRecord(website, record, away)));
    const { promise, resolve } = Promise.withResolvers<RecordResult[]>();
    const results: (RecordResult | undefined)[] = records.map(() => undefined);
    let unanswered = records.length;
    const put = (at: number, result: RecordResult) => {
      results[at] = result;
      unanswered -= 1;
      if (unanswered === 0) resolve(results as RecordResult[]);
    };
    const settle = (at: number, verdict: Verdict) => {
      // A verdict that comes after the batch has failed is too late.
      if (results[at] !== undefined) return;
      const record = records[at]!;
      if ('refused' in verdict) put(at, refuseRecord(website, record, verdict));
      else if ('excluded' in verdict) {
        parts.exclude(record.kind, website, verdict);
        put(at, { code: 200, message: verdict.message });
      } else {
        acknowledge(record.kind, website, verdict);
        put(at, success);
      }
    };
    const onVerdict = (at: number, verdict: Verdict) =>
      parts.countVerdict({ ...batch, sequence: records[at]!.sequence }, verdict, () => goOn(at, verdict));
    const goOn = (at: number, verdict: Verdict) => {
      const isKept = !('refused' in verdict || 'excluded' in verdict);
      if (isKept && storeWaits !== undefined) storeWaits.wait((refusal) => settle(at, refusal ?? verdict));
      else settle(at, verdict);
    };
    if (unanswered === 0) resolve([]);
    else
      intake.takeBatch(batch, records, onVerdict).catch((error: unknown) => {
        log.error({ err: error, website: website.id }, 'a batch failed');
        for (const at of records.keys()) if (results[at] === undefined) put(at, failRecord());
      });
    return promise;
  }

  /** Refuses a record once that is counted. */
  function refuseLater(batch: OpenBatch, record: RefusedRecord): Promise<RecordResult> {
    const { sequence, refusal } = record;
    return new Promise((resolve) =>
      parts.countVerdict({ ...batch, sequence }, refusal, () =>
        resolve(refuseRecord(batch.website, record, refusal)),
      ),
    );
  }

  function refuseRecord(
    website: CachedWebsite,
    { kind, sent }: Pick<BatchRecord, 'kind' | 'sent'>,
    refusal: Refusal,
  ): RecordResult {
    const { refused, message } = refusal;
    const code = codeOf[refused];
    count(refused);
    recent.refused(website.id, kind, { code, refusal, body: sent });
    const retrySeconds = retryAfterSeconds(refused, intake.allowance(website));
    return { code, message, retrySeconds, ...(isUnsure(refusal) && { outcome: 'unknown' }) };
  }

  function failRecord(): RecordResult {
    count('internal');
    return { code: 503, message: internalFault, retrySeconds: internalRetrySeconds };
  }

  function answer(website: CachedWebsite, results: readonly RecordResult[], reply: TrackingReply): void {
    const refused = results.filter(({ code }) => code !== 200);
    const accepted = results.length - refused.length;
    const code = refused.length === 0 ? 200 : 207;
    const message =
      refused.length === 0
        ? success.message
        : `${accepted} of ${results.length} records were accepted: see Results for the others`;
    const listed = results.map((result) => (result === success ? successText : textOf(result)));
    const text = `${answerText(code, message).slice(0, -1)},"Results":[${listed.join(',')}]}`;
    const retry = retryAfter(refused);
    const headers = [
      ...contingentHeaders(intake.allowance(website)),
      ...(retry === undefined ? [] : ['Retry-After', String(retry)]),
    ];
    const requestId = parts.answerOther(reply, code, message, headers, text);
    const [first] = refused;
    if (first !== undefined)
      log.info({ requestId, website: website.id, accepted, refused: refused.length }, first.message);
  }

  /** Calls `letGo` when the body is no longer needed. */
  return (batch: OpenBatch, body: Buffer, reply: TrackingReply, letGo: () => void = () => {}): void => {
    const onFault = (error: unknown) => {
      const headers = ['Retry-After', String(internalRetrySeconds)];
      count('internal');
      const requestId = parts.answerOther(reply, 503, internalFault, headers);
      log.error({ err: error, requestId }, 'a batch failed');
    };
    take(batch, body, reply).catch(onFault).finally(letGo);
  };
}

/** Records that may be accepted in a moment come first: nobody should wait for the next month to send those. */
function retryAfter(refused: readonly RecordResult[]): number | undefined {
  const seconds = ofCode(503).length > 0 ? ofCode(503) : ofCode(429);
  return seconds.length === 0 ? undefined : Math.max(...seconds);

  function ofCode(wanted: number): number[] {
    return refused.flatMap(({ code, retrySeconds }) =>
      code === wanted && retrySeconds !== undefined ? [retrySeconds] : [],
    );
  }
}

function textOf({ code, message, outcome }: RecordResult): string {
  return JSON.stringify({ Code: code, Message: message, ...(outcome && { Outcome: outcome }) });
}
