import { spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';
import type { RecordSummary } from '../../intake/record-summary.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { Clock } from '../../time/clock.ts';
import { maskedShape } from './masked-shape.ts';

/** What a request brings: a record of one kind, or a batch that was refused as a whole. */
export type RequestKind = RecordKind | 'batch';

/** A request and its answer, without any value that could identify a person. */
export type RecentRequest = {
  atMs: number;
  kind: RequestKind;
  code: number;
  message: string;
  /** Whether the record had been accepted before, so that it was not counted again. */
  isRepeat: boolean;
  /** Whether a rule of the website excluded it. */
  isExcluded?: boolean;
  /** Only for an accepted record. */
  summary: RecordSummary | undefined;
  /** Only for a refused body. */
  shape: unknown;
};

/** A request with an unknown API key. Only its time and the reason of its failure are kept. */
export type UnknownSender = { atMs: number; kind: RequestKind; message: string };

/** The last requests of a website, the newest first, and the last one with an unknown key. */
export type WatchedRequests = {
  requests: RecentRequest[];
  skipped: number;
  /** How many requests the website's rules excluded. */
  excluded: number;
  unauthorized: UnknownSender | undefined;
};

type RefusedRequest = { code: number; refusal: Refusal; body?: Buffer | undefined };

type OfWebsite = {
  requests: RecentRequest[];
  skipped: number;
  excluded: number;
  second: number;
  inSecond: number;
};

export type RecentRequests = ReturnType<typeof createRecentRequests>;

export const kept = 100;
const perSecond = 20;
const maxWebsites = 1000;
const maxShapedBytes = 64 * 1024;

/**
 * Keeps the last requests of each website, for people who set one up and wonder what arrives. They stay in
 * memory, within bounds, and only a few of each second are kept, so that a busy node does not notice.
 */
export function createRecentRequests(clock: Clock) {
  const websites = new Map<number, OfWebsite>();
  let unauthorized: UnknownSender | undefined;

  function of(websiteId: number): OfWebsite {
    let found = websites.get(websiteId);
    if (found === undefined) {
      if (websites.size >= maxWebsites) websites.delete(websites.keys().next().value!);
      found = { requests: [], skipped: 0, excluded: 0, second: 0, inSecond: 0 };
      websites.set(websiteId, found);
    }
    return found;
  }

  /** Whether this request is kept. Those beyond the limit of a second are only counted. */
  function hasRoom(website: OfWebsite): boolean {
    const second = Math.floor(clock.monotonicMs() / 1000);
    if (website.second !== second) {
      website.second = second;
      website.inSecond = 0;
    }
    if (website.inSecond >= perSecond) {
      website.skipped += 1;
      return false;
    }
    website.inSecond += 1;
    return true;
  }

  function add(website: OfWebsite, request: RecentRequest): void {
    website.requests.push(request);
    if (website.requests.length > kept) website.requests.shift();
  }

  return {
    accepted(websiteId: number, kind: RecordKind, summarize: () => RecordSummary): void {
      const website = of(websiteId);
      if (!hasRoom(website)) return;
      add(website, {
        atMs: clock.now(),
        kind,
        code: 200,
        message: 'Success',
        isRepeat: false,
        summary: summarize(),
        shape: undefined,
      });
    },
    repeated(websiteId: number, kind: RecordKind): void {
      const website = of(websiteId);
      if (!hasRoom(website)) return;
      add(website, {
        atMs: clock.now(),
        kind,
        code: 200,
        message: 'Success',
        isRepeat: true,
        summary: undefined,
        shape: undefined,
      });
    },
    excluded(websiteId: number, kind: RecordKind, message: string): void {
      const website = of(websiteId);
      website.excluded += 1;
      if (!hasRoom(website)) return;
      add(website, {
        atMs: clock.now(),
        kind,
        code: 200,
        message,
        isRepeat: false,
        isExcluded: true,
        summary: undefined,
        shape: undefined,
      });
    },
    refused(websiteId: number, kind: RequestKind, { code, refusal, body }: RefusedRequest): void {
      const website = of(websiteId);
      if (!hasRoom(website)) return;
      const shape = body === undefined || body.length > maxShapedBytes ? undefined : maskedShape(body);
      add(website, {
        atMs: clock.now(),
        kind,
        code,
        message: messageForOthers(refusal),
        isRepeat: false,
        summary: undefined,
        shape,
      });
    },
    /** Anybody can cause this, so only the last one is kept. */
    unauthorized(kind: RequestKind, message: string): void {
      unauthorized = { atMs: clock.now(), kind, message };
    },
    lastUnauthorized: () => unauthorized,
    /** The newest first. */
    list(websiteId: number): { requests: RecentRequest[]; skipped: number; excluded: number } {
      const { requests = [], skipped = 0, excluded = 0 } = websites.get(websiteId) ?? {};
      return { requests: requests.toReversed(), skipped, excluded };
    },
    forget: (websiteId: number) => void websites.delete(websiteId),
  };
}

/** Fields of which nothing is shown to others, not even what kind of value came. */
const personalFields: ReadonlySet<string> = new Set(['Metrics.Browser.IP', 'Metrics.Identify.ClientId']);

/** The answer describes the value to its sender. Here others read it too, so personal fields are left out. */
function messageForOthers(refusal: Refusal): string {
  if (!('about' in refusal) || !personalFields.has(refusal.about.path)) return refusal.message;
  const { path, fault } = refusal.about;
  return spellBodyFault({ path, fault: { expected: fault.expected, got: 'something else' }, others: 0 });
}
