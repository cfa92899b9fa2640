import type { ExclusionKind } from '@trackside/contract/app/exclusions.ts';
import type { KeyLookUp } from '../../control/websites/create-key-look-up.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Allowance } from '../../intake/contingent/contingent.ts';
import type { Intake, IntakeHeaders, OpenRequest, RefusedRequest } from '../../intake/create-intake.ts';
import type { Received } from '../../intake/receipts/receipts.ts';
import type { Refusal, RefusalReason } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import type { Accepted, Excluded, Repeated, Verdict } from '../../intake/verdict.ts';
import type { Log } from '../../log.ts';
import { answerText, safeHeaders } from '../server/answer.ts';
import { dryRunText } from './dry-run-text.ts';
import type { Forward } from './forward-records.ts';
import type { RecentRequests } from './recent-requests.ts';
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

const codeOf: Record<RefusalReason, number> = {
  unauthorized: 401,
  malformed: 400,
  'contingent-used-up': 429,
  'control-away': 503,
  'no-salt': 503,
  'journal-full': 503,
  'journal-stalled': 503,
  'journal-closed': 503,
  'worker-away': 503,
  'store-away': 503,
  'node-away': 503,
};

const retryAfterSeconds: Partial<Record<RefusalReason, number>> = {
  'control-away': 5,
  'no-salt': 2,
  'journal-full': 30,
  'journal-stalled': 5,
  'journal-closed': 2,
  'worker-away': 2,
  'store-away': 5,
  'node-away': 2,
};

export type Tracking = ReturnType<typeof createTracking>;

/**
 * Answers the two tracking endpoints, on whichever way a request came in. A 200 means "on disk", or "in the
 * store" if answers wait for it.
 */
export function createTracking(parts: {
  intake: Intake;
  keyLookUp: KeyLookUp;
  counts: TrackingCounts;
  requestId: () => string;
  recent: Pick<RecentRequests, 'accepted' | 'repeated' | 'excluded' | 'refused' | 'unauthorized'>;
  /** Sends records to the worker that has to judge them. Undefined where this worker judges all of them. */
  forward?: Forward | undefined;
  /** Undefined if a record on disk is answered at once. */
  storeWaits: Pick<StoreWaits, 'refusal' | 'wait'> | undefined;
  /** A bounded log, because anyone who sends a request can cause a line. */
  log: Log;
}) {
  const { intake, keyLookUp, counts, requestId, recent, storeWaits, log } = parts;
  const count = (reason: string) => counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);

  function take(request: OpenRequest, body: Buffer, reply: TrackingReply): void {
    try {
      if (request.isDryRun) {
        tryOut(request, body, reply);
        return;
      }
      if (parts.forward?.(request, body, reply, () => refuseAway(request, reply))) return;
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

  /** Answers a dry run, of which nothing is kept: no record, no count of records, no recent request. */
  function tryOut({ kind, website }: OpenRequest, body: Buffer, reply: TrackingReply): void {
    const { code, message, refusal, excluded, understood } = judge({ kind, website }, body);
    const headers = [...contingentHeaders(intake.allowance(website)), ...retryHeaders(refusal, website)];
    send(reply, code, dryRunText(code, message, excluded, understood), headers);
  }

  function judge({ kind, website }: Pick<OpenRequest, 'kind' | 'website'>, body: Buffer) {
    counts.dryRuns += 1;
    const { refusal, excluded, understood } = intake.dryRun(website, kind, body);
    const code = refusal === undefined ? 200 : codeOf[refusal.refused];
    const message = refusal?.message ?? excluded?.message ?? 'Success';
    return { code, message, refusal, excluded: excluded?.excluded.kind ?? null, understood };
  }

  function refuseAway({ kind, website }: OpenRequest, reply: TrackingReply): void {
    const message = 'The process that knows this Idempotency-Key is restarting: try again in a moment';
    refuse({ refused: 'worker-away', message }, kind, website, reply);
  }

  function answer(
    { kind, website }: OpenRequest,
    verdict: Verdict,
    body: Buffer,
    reply: TrackingReply,
  ): void {
    if ('refused' in verdict) refuse(verdict, kind, website, reply, body);
    else if ('excluded' in verdict) exclude(kind, website, verdict, reply);
    else if (storeWaits === undefined) acknowledge(kind, website, verdict, reply);
    else answerWhenStored(kind, website, verdict, reply);
  }

  /** Every record that a rule excludes comes by here, once. Nothing of it is on disk, so it waits for nothing. */
  function exclude(
    kind: RecordKind,
    website: CachedWebsite,
    { excluded, message }: Excluded,
    reply: TrackingReply,
  ): void {
    countExcluded(counts.excluded, website.id, excluded.kind);
    answerOther(reply, 200, message, contingentHeaders(intake.allowance(website)));
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
      else refuse(refusal, kind, website, reply);
    });
  }

  function acknowledge(
    kind: RecordKind,
    website: CachedWebsite,
    verdict: Accepted | Repeated,
    reply: TrackingReply,
  ): void {
    if ('repeated' in verdict) {
      counts.repeated[kind] += 1;
      reply.success(successHeadersOf(website, verdict.received));
      recent.repeated(website.id, kind);
      return;
    }
    counts.accepted[kind] += 1;
    reply.success(successHeadersOf(website, verdict.received));
    recent.accepted(website.id, kind, verdict.summarize);
  }

  function successHeadersOf(website: CachedWebsite, received: Received | undefined): string[] {
    const headers = contingentHeaders(intake.allowance(website));
    if (received !== undefined) headers.push(receiptHeader, intake.receipt(website, received));
    return headers;
  }

  function refuse(
    refusal: Refusal,
    kind: RecordKind,
    website: CachedWebsite | undefined,
    reply: TrackingReply,
    body?: Buffer,
  ): void {
    const { refused, message } = refusal;
    count(refused);
    const headers = contingentHeaders(website && intake.allowance(website));
    const id = answerOther(reply, codeOf[refused], message, [...headers, ...retryHeaders(refusal, website)]);
    log.info({ reason: refused, requestId: id, website: website?.id }, message);
    if (website !== undefined) recent.refused(website.id, kind, { code: codeOf[refused], refusal, body });
    else if (refused === 'unauthorized') recent.unauthorized(kind, message);
  }

  function retryHeaders(refusal: Refusal | undefined, website: CachedWebsite | undefined): string[] {
    if (refusal === undefined) return [];
    const { refused } = refusal;
    const toReset = refused === 'contingent-used-up' && website && intake.allowance(website)?.secondsToReset;
    const seconds = toReset || retryAfterSeconds[refused];
    return seconds === undefined ? [] : ['Retry-After', String(seconds)];
  }

  function fail(website: CachedWebsite, error: unknown, reply: TrackingReply): void {
    count('internal');
    const message = 'Internal fault: the record was not accepted, try again';
    const headers = [...contingentHeaders(intake.allowance(website)), 'Retry-After', '5'];
    const id = answerOther(reply, 503, message, headers);
    log.error({ err: error, requestId: id }, 'a tracking request failed');
  }

  function answerOther(reply: TrackingReply, code: number, message: string, headers: string[]): string {
    return send(reply, code, answerText(code, message), headers);
  }

  function send(reply: TrackingReply, code: number, text: string, headers: string[]): string {
    const id = requestId();
    const length = String(Buffer.byteLength(text));
    const own = ['Content-Type', 'application/json', 'Content-Length', length, ...safeHeaders];
    const all = [...own, 'Request-Id', id, ...headers];
    reply.other(code, all, text);
    return id;
  }

  /** Opens a request again after its key was looked up in the database. */
  async function openLater(kind: RecordKind, headers: IntakeHeaders): Promise<OpenRequest | RefusedRequest> {
    const outcome = await keyLookUp.lookUp(headers.authorization ?? '');
    if (outcome !== 'away') return intake.open(kind, headers);
    const message = 'The API key cannot be checked at the moment: try again later';
    return { refused: 'control-away', message, website: undefined };
  }

  return {
    open: intake.open,
    readReceipt: intake.readReceipt,
    /** Whether a request that was refused for its key may be accepted by `openLater`. */
    canOpenLater: (opened: OpenRequest | RefusedRequest, headers: IntakeHeaders): boolean =>
      'refused' in opened && opened.refused === 'unauthorized' && keyLookUp.canLookUp(headers.authorization),
    openLater,
    take,
    /** Says how a record would be answered. */
    judge,
    refuse,
    /** Called when the client left in the middle of a request, or took too long to send it. */
    noteUnfinished: () => void count('unfinished'),
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

/** Header names and values in turn, as writeHead takes them: on the hot path, cheaper than an object. */
function contingentHeaders(allowance: Allowance | undefined): string[] {
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
