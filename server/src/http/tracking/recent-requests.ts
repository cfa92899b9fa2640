import { spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';
import type { RecordSummary } from '../../intake/record-summary.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import type { Clock } from '../../time/clock.ts';
import { maskedShape } from './masked-shape.ts';

/** What came and what was answered, without a value that could tell who somebody is. */
export type RecentRequest = {
  atMs: number;
  kind: RecordKind;
  code: number;
  message: string;
  /** Was accepted before, and is not counted again. */
  isRepeat: boolean;
  /** Of an accepted record. */
  summary: RecordSummary | undefined;
  /** Of a refused body. */
  shape: unknown;
};

type RefusedRequest = { code: number; refusal: Refusal; body?: Buffer | undefined };

type OfWebsite = { requests: RecentRequest[]; skipped: number; second: number; inSecond: number };

export type RecentRequests = ReturnType<typeof createRecentRequests>;

const kept = 100;
const perSecond = 20;
const maxWebsites = 1000;
const maxShapedBytes = 64 * 1024;

/**
 * The last requests of each website, for who sets one up and wonders what arrives. In memory, bounded, and no
 * more than a few a second of a website, so that it costs a busy node nothing.
 */
export function createRecentRequests(clock: Clock) {
  const websites = new Map<number, OfWebsite>();

  function of(websiteId: number): OfWebsite {
    let found = websites.get(websiteId);
    if (found === undefined) {
      if (websites.size >= maxWebsites) websites.delete(websites.keys().next().value!);
      found = { requests: [], skipped: 0, second: 0, inSecond: 0 };
      websites.set(websiteId, found);
    }
    return found;
  }

  /** Whether this one is looked at; those beyond are only counted. */
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
    refused(websiteId: number, kind: RecordKind, { code, refusal, body }: RefusedRequest): void {
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
    /** The newest first. */
    list(websiteId: number): { requests: RecentRequest[]; skipped: number } {
      const { requests = [], skipped = 0 } = websites.get(websiteId) ?? {};
      return { requests: requests.toReversed(), skipped };
    },
    forget: (websiteId: number) => void websites.delete(websiteId),
  };
}

/** Fields of which nothing is told to others, not even what kind of value came. */
const personalFields: ReadonlySet<string> = new Set(['Metrics.Browser.IP', 'Metrics.Identify.ClientId']);

/** The answer describes what came, to who sent it; here others read it too. */
function messageForOthers(refusal: Refusal): string {
  if (!('about' in refusal) || !personalFields.has(refusal.about.path)) return refusal.message;
  const { path, fault } = refusal.about;
  return spellBodyFault({ path, fault: { expected: fault.expected, got: 'something else' }, others: 0 });
}
