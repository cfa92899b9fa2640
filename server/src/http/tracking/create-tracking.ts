import type { ExclusionKind } from '@trackside/contract/app/exclusion-kinds.ts';
import type { KeyLookUp } from '../../control/websites/create-key-look-up.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type {
  Intake,
  IntakeHeaders,
  OpenRequest,
  RefusedRequest,
  RefusedSender,
} from '../../intake/create-intake.ts';
import type { Received } from '../../intake/receipts/receipts.ts';
import { internalFault, type Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import type { Tally } from '../../intake/tally/open-tally.ts';
import type { Accepted, Excluded, Repeated, Verdict } from '../../intake/verdict.ts';
import type { Log } from '../../log.ts';
import { answerText, safeHeaders } from '../server/answer.ts';
import {
  codeOf,
  contingentHeaders,
  internalRetrySeconds,
  isUnsure,
  retryAfterSeconds,
} from './answer-parts.ts';
import { createBatchHold } from './batch-hold.ts';
import { createCountVerdict } from './count-verdict.ts';
import { dryRunText } from './dry-run-text.ts';
import { type Forwarding, workerAway } from './forward-records.ts';
import type { RecentRequests, RequestKind } from './recent-requests.ts';
import { createTakeBatchRequest } from './take-batch-request.ts';
import { receiptHeader, type TrackingReply } from './tracking-reply.ts';

export type TrackingCounts = {
  accepted: Record<RecordKind, number>;
  /** Answered 200 like the first request, and not counted again. */
  repeated: Record<RecordKind, number>;
  /** Answered 200 and not stored, by website and the kind of rule that excluded them. */
  excluded: ExcludedCounts;
  refused: Map<string, number>;
  /** Records that were only judged. They are in no other count. */
  dryRuns: number;
};

export type ExcludedCounts = Map<number, Map<ExclusionKind, number>>;

export type Tracking = ReturnType<typeof createTracking>;

/**
 * Answers the tracking endpoints, on whichever way a request came in. A 200 means "on disk", or "in the
 * store" if answers wait for it.
 */
export function createTracking(parts: {
  intake: Intake;
  keyLookUp: KeyLookUp;
  counts: TrackingCounts;
  tally: Pick<Tally, 'note'>;
  requestId: () => string;
  recent: Pick<RecentRequests, 'accepted' | 'repeated' | 'excluded' | 'refused' | 'unauthorized'>;
  /** Sends records to the worker that has to judge them. Undefined where this worker judges all of them. */
  forward?: Forwarding | undefined;
  /** Undefined if a record on disk is answered at once. */
  storeWaits: Pick<StoreWaits, 'refusal' | 'wait'> | undefined;
  /** A bounded log, because anyone who sends a request can cause a line. */
  log: Log;
}) {
  const { intake, keyLookUp, counts, requestId, recent, storeWaits, log } = parts;
  const count = createCountVerdict(parts.tally);
  const countReason = (reason: string) => counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);

  function take(request: OpenRequest, body: Buffer, reply: TrackingReply): void {
    try {
      if (request.isDryRun) {
        tryOut(request, body, reply);
        return;
      }
      const onAway = (isSent: boolean) =>
        answerRefusal(workerAway(isSent), request.kind, request.website, reply);
      if (parts.forward?.record(request, body, reply, onAway)) return;
      const refusal = storeWaits?.refusal();
      if (refusal !== undefined) {
        answerRefusal(refusal, request.kind, request.website, reply, body);
        return;
      }
      const onFault = (error: unknown) => fail(request.website, error, reply);
      const onVerdict = (verdict: Verdict) =>
        count(request, verdict, () => answer(request, verdict, body, reply));
      intake.take(request, body, onVerdict, onFault);
    } catch (error) {
      fail(request.website, error, reply);
    }
  }

  /** Answers a dry run, of which nothing is kept: no record, no count of records, no recent request. */
  function tryOut({ kind, website }: OpenRequest, body: Buffer, reply: TrackingReply): void {
    const { code, message, refusal, excluded, understood } = judge({ kind, website }, body);
    const headers = [...contingentHeaders(intake.allowance(website)), ...retryHeaders(refusal, website)];
    answerOther(reply, code, message, headers, dryRunText(code, message, excluded, understood));
  }

  function judge({ kind, website }: Pick<OpenRequest, 'kind' | 'website'>, body: Buffer) {
    counts.dryRuns += 1;
    const { refusal, excluded, understood } = intake.dryRun(website, kind, body);
    const code = refusal === undefined ? 200 : codeOf[refusal.refused];
    const message = refusal?.message ?? excluded?.message ?? 'Success';
    return { code, message, refusal, excluded: excluded?.excluded.kind ?? null, understood };
  }

  function answer(
    { kind, website }: OpenRequest,
    verdict: Verdict,
    body: Buffer,
    reply: TrackingReply,
  ): void {
    if ('refused' in verdict) answerRefusal(verdict, kind, website, reply, body);
    else if ('excluded' in verdict) exclude(kind, website, verdict, reply);
    else if (storeWaits === undefined) acknowledge(kind, website, verdict, reply);
    else answerWhenStored(kind, website, verdict, reply);
  }

  function exclude(kind: RecordKind, website: CachedWebsite, verdict: Excluded, reply: TrackingReply): void {
    answerOther(reply, 200, verdict.message, contingentHeaders(intake.allowance(website)));
    noteExcluded(kind, website, verdict);
  }

  /** Every record that a rule excludes comes by here, once. */
  function noteExcluded(kind: RecordKind, website: CachedWebsite, { excluded, message }: Excluded): void {
    countExcluded(counts.excluded, website.id, excluded.kind);
    recent.excluded(website.id, kind, message);
  }

  /** The body isn't among the arguments, because it would stay in memory while the answer waits. */
  function answerWhenStored(
    kind: RecordKind,
    website: CachedWebsite,
    verdict: Accepted | Repeated,
    reply: TrackingReply,
  ): void {
    storeWaits!.wait((refusal) => {
      if (refusal === undefined) acknowledge(kind, website, verdict, reply);
      else answerRefusal(refusal, kind, website, reply);
    });
  }

  function acknowledge(
    kind: RecordKind,
    website: CachedWebsite,
    verdict: Accepted | Repeated,
    reply: TrackingReply,
  ): void {
    reply.success(successHeadersOf(website, verdict.received));
    noteAcknowledged(kind, website, verdict);
  }

  function noteAcknowledged(kind: RecordKind, website: CachedWebsite, verdict: Accepted | Repeated): void {
    if ('repeated' in verdict) {
      counts.repeated[kind] += 1;
      recent.repeated(website.id, kind);
    } else {
      counts.accepted[kind] += 1;
      recent.accepted(website.id, kind, verdict.summarize);
    }
  }

  function successHeadersOf(website: CachedWebsite, received: Received | undefined): string[] {
    const headers = contingentHeaders(intake.allowance(website));
    if (received !== undefined) headers.push(receiptHeader, intake.receipt(website, received));
    return headers;
  }

  /** Refuses a request before its body was looked at. Its sender is known if it counts as one of theirs. */
  function refuse(refusal: Refusal, kind: RequestKind, from: RefusedSender, reply: TrackingReply): void {
    const answer = () => answerEarly(refusal, kind, from, reply);
    if (from.sender === undefined) answer();
    else count(from.sender, refusal, answer);
  }

  /**
   * Does the same for a request whose body may not have arrived. Its answer ends the connection, so it must come
   * before the next request is read, and doesn't wait for the disk.
   */
  function refuseEarly(refusal: Refusal, kind: RequestKind, from: RefusedSender, reply: TrackingReply): void {
    answerEarly(refusal, kind, from, reply);
    if (from.sender !== undefined) count(from.sender, refusal, () => {});
  }

  function answerEarly(
    refusal: Refusal,
    kind: RequestKind,
    { website, isDryRun }: RefusedSender,
    reply: TrackingReply,
  ): void {
    if (!isDryRun || website === undefined) {
      answerRefusal(refusal, kind, website, reply);
      return;
    }
    counts.dryRuns += 1;
    const { refused, message } = refusal;
    const code = codeOf[refused];
    const headers = [...contingentHeaders(intake.allowance(website)), ...retryHeaders(refusal, website)];
    // There is no dry run of a batch, so it gets the answer of any batch that is refused.
    const text = kind === 'batch' ? answerText(code, message) : dryRunText(code, message, null, undefined);
    answerOther(reply, code, message, headers, text);
  }

  function answerRefusal(
    refusal: Refusal,
    kind: RequestKind,
    website: CachedWebsite | undefined,
    reply: TrackingReply,
    body?: Buffer,
  ): void {
    const { refused, message } = refusal;
    countReason(refused);
    const headers = contingentHeaders(website && intake.allowance(website));
    const outcome = isUnsure(refusal) ? ['Trackside-Outcome', 'unknown'] : [];
    const all = [...headers, ...retryHeaders(refusal, website), ...outcome];
    const id = answerOther(reply, codeOf[refused], message, all);
    log.info({ reason: refused, requestId: id, website: website?.id }, message);
    if (website !== undefined) recent.refused(website.id, kind, { code: codeOf[refused], refusal, body });
    else if (refused === 'unauthorized') recent.unauthorized(kind, message);
  }

  function retryHeaders(refusal: Refusal | undefined, website: CachedWebsite | undefined): string[] {
    if (refusal === undefined) return [];
    const seconds = retryAfterSeconds(refusal.refused, website && intake.allowance(website));
    return seconds === undefined ? [] : ['Retry-After', String(seconds)];
  }

  function fail(website: CachedWebsite, error: unknown, reply: TrackingReply): void {
    countReason('internal');
    const retry = ['Retry-After', String(internalRetrySeconds)];
    const headers = [...contingentHeaders(intake.allowance(website)), ...retry];
    const id = answerOther(reply, 503, internalFault, headers);
    log.error({ err: error, requestId: id }, 'a tracking request failed');
  }

  function answerOther(
    reply: TrackingReply,
    code: number,
    message: string,
    headers: string[],
    text = answerText(code, message),
  ): string {
    const id = requestId();
    const length = String(Buffer.byteLength(text));
    const own = ['Content-Type', 'application/json', 'Content-Length', length, ...safeHeaders];
    const all = [...own, 'Request-Id', id, ...headers];
    reply.other(code, all, text);
    return id;
  }

  /** Opens a request or a batch again after its key was looked up in the database. */
  async function openLater<Opened>(
    open: () => Opened | RefusedRequest,
    headers: IntakeHeaders,
  ): Promise<Opened | RefusedRequest> {
    const outcome = await keyLookUp.lookUp(headers.authorization ?? '');
    if (outcome !== 'away') return open();
    const message = 'The API key cannot be checked at the moment: try again later';
    return { refused: 'control-away', message, website: undefined };
  }

  return {
    open: intake.open,
    openBatch: intake.openBatch,
    readReceipt: intake.readReceipt,
    /** Whether a request that was refused for its key may be accepted by `openLater`. */
    canOpenLater: (opened: object | RefusedRequest, headers: IntakeHeaders): boolean =>
      'refused' in opened && opened.refused === 'unauthorized' && keyLookUp.canLookUp(headers.authorization),
    openLater,
    take,
    /** Takes a batch. It is answered when all of its records are. */
    takeBatch: createTakeBatchRequest({
      ...parts,
      countVerdict: count,
      count: countReason,
      acknowledge: noteAcknowledged,
      exclude: noteExcluded,
      refuse,
      answerOther,
    }),
    holdBatch: createBatchHold(),
    /** Says how a record would be answered. */
    judge,
    refuse,
    refuseEarly,
    /** Called when the client left in the middle of a request, or took too long to send it. */
    noteUnfinished: () => void countReason('unfinished'),
    refuseMethod: (reply: TrackingReply) =>
      answerOther(reply, 405, 'Method not allowed: send a POST', ['Allow', 'POST']),
  };
}

function countExcluded(counts: ExcludedCounts, websiteId: number, kind: ExclusionKind): void {
  let ofWebsite = counts.get(websiteId);
  if (ofWebsite === undefined) {
    ofWebsite = new Map();
    counts.set(websiteId, ofWebsite);
  }
  ofWebsite.set(kind, (ofWebsite.get(kind) ?? 0) + 1);
}
