import type { KeyLookUp } from '../../control/websites/create-key-look-up.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Intake, IntakeHeaders, OpenRequest, RefusedRequest } from '../../intake/create-intake.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import type { Accepted, Repeated, Verdict } from '../../intake/verdict.ts';
import type { Log } from '../../log.ts';
import { answerText, safeHeaders } from '../server/answer.ts';
import {
  codeOf,
  contingentHeaders,
  internalFault,
  internalRetrySeconds,
  isUnsure,
  retryAfterSeconds,
} from './answer-parts.ts';
import { createBatchHold } from './batch-hold.ts';
import { type Forwarding, workerAway } from './forward-records.ts';
import type { RecentRequests, RequestKind } from './recent-requests.ts';
import { createTakeBatchRequest } from './take-batch-request.ts';
import type { TrackingReply } from './tracking-reply.ts';

export type TrackingCounts = {
  accepted: Record<RecordKind, number>;
  /** Answered 200 like the first request, and not counted again. */
  repeated: Record<RecordKind, number>;
  refused: Map<string, number>;
};

export type Tracking = ReturnType<typeof createTracking>;

/**
 * Answers the tracking endpoints, on whichever way a request came in. A 200 means "on disk", or "in the
 * store" if answers wait for it.
 */
export function createTracking(parts: {
  intake: Intake;
  keyLookUp: KeyLookUp;
  counts: TrackingCounts;
  requestId: () => string;
  recent: Pick<RecentRequests, 'accepted' | 'repeated' | 'refused' | 'unauthorized'>;
  /** Sends records to the worker that has to judge them. Undefined where this worker judges all of them. */
  forward?: Forwarding | undefined;
  /** Undefined if a record on disk is answered at once. */
  storeWaits: Pick<StoreWaits, 'refusal' | 'wait'> | undefined;
  /** A bounded log, because anyone who sends a request can cause a line. */
  log: Log;
}) {
  const { intake, keyLookUp, counts, requestId, recent, storeWaits, log } = parts;
  const count = (reason: string) => counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);

  function take(request: OpenRequest, body: Buffer, reply: TrackingReply): void {
    try {
      const onAway = (isSent: boolean) => refuse(workerAway(isSent), request.kind, request.website, reply);
      if (parts.forward?.record(request, body, reply, onAway)) return;
      const refusal = storeWaits?.refusal();
      if (refusal !== undefined) {
        refuse(refusal, request.kind, request.website, reply, body);
        return;
      }
      const onFault = (error: unknown) => fail(request.website, error, reply);
      intake.take(request, body, (verdict) => answer(request, verdict, body, reply), onFault);
    } catch (error) {
      fail(request.website, error, reply);
    }
  }

  function answer(
    { kind, website }: OpenRequest,
    verdict: Verdict,
    body: Buffer,
    reply: TrackingReply,
  ): void {
    if ('refused' in verdict) refuse(verdict, kind, website, reply, body);
    else if (storeWaits === undefined) acknowledge(kind, website, verdict, reply);
    else answerWhenStored(kind, website, verdict, reply);
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
      else refuse(refusal, kind, website, reply);
    });
  }

  function acknowledge(
    kind: RecordKind,
    website: CachedWebsite,
    verdict: Accepted | Repeated,
    reply: TrackingReply,
  ): void {
    reply.success(contingentHeaders(intake.allowance(website)));
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

  function refuse(
    refusal: Refusal,
    kind: RequestKind,
    website: CachedWebsite | undefined,
    reply: TrackingReply,
    body?: Buffer,
  ): void {
    const { refused, message } = refusal;
    count(refused);
    const allowance = website && intake.allowance(website);
    const headers = contingentHeaders(allowance);
    const seconds = retryAfterSeconds(refused, allowance);
    const retry = seconds === undefined ? [] : ['Retry-After', String(seconds)];
    const outcome = isUnsure(refusal) ? ['Trackside-Outcome', 'unknown'] : [];
    const id = answerOther(reply, codeOf[refused], message, [...headers, ...retry, ...outcome]);
    log.info({ reason: refused, requestId: id, website: website?.id }, message);
    if (website !== undefined) recent.refused(website.id, kind, { code: codeOf[refused], refusal, body });
    else if (refused === 'unauthorized') recent.unauthorized(kind, message);
  }

  function fail(website: CachedWebsite, error: unknown, reply: TrackingReply): void {
    count('internal');
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
    /** Whether a request that was refused for its key may be accepted by `openLater`. */
    canOpenLater: (opened: object | RefusedRequest, headers: IntakeHeaders): boolean =>
      'refused' in opened && opened.refused === 'unauthorized' && keyLookUp.canLookUp(headers.authorization),
    openLater,
    take,
    /** Takes a batch. It is answered when all of its records are. */
    takeBatch: createTakeBatchRequest({
      ...parts,
      count,
      acknowledge: noteAcknowledged,
      refuse,
      answerOther,
    }),
    holdBatch: createBatchHold(),
    refuse,
    /** Called when the client left in the middle of a request, or took too long to send it. */
    noteUnfinished: () => void count('unfinished'),
    refuseMethod: (reply: TrackingReply) =>
      answerOther(reply, 405, 'Method not allowed: send a POST', ['Allow', 'POST']),
  };
}
