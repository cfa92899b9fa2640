import type { Metrics, Valid } from '../intake/steps/validate.ts';
import { chooseEvent } from './choose-event.ts';
import type { Person } from './create-person-maker.ts';
import type { Random } from './create-random.ts';
import type { Page, Site } from './create-sites.ts';
import type { Way } from './demo-pages.ts';

/** A record as a customer's backend would send it, and when. */
export type DemoRecord = { atMs: number; valid: Valid };

export type VisitOptions = {
  site: Site;
  /** `https://` and the host. */
  origin: string;
  person: Person;
  way: Way;
  /** The first page. It depends on the way if left out. */
  entry?: Page | undefined;
  referrer: string | null;
  /** The query of the first page only. */
  query?: string | undefined;
  startMs: number;
  random: Random;
};

/** How often someone looks at a second page. */
const staying: Readonly<Record<Way, number>> = {
  direct: 0.6,
  search: 0.46,
  social: 0.34,
  ai: 0.58,
  referral: 0.55,
  email: 0.55,
  paid: 0.44,
  viral: 0.17,
  member: 0.9,
};
const goingOn = 0.64;
const maxPages = 25;
const maxGapMs = 28 * 60_000;

/** Makes the records of a visit: the pages that someone looks at, and what they do there. */
export function makeVisit(options: VisitOptions): DemoRecord[] {
  const { site, origin, person, way, random } = options;
  const records: DemoRecord[] = [];
  let atMs = options.startMs;
  let page = options.entry ?? site.enter(way, random);
  let pageUrl = addQuery(origin + page.address, options.query);
  let referrer = options.referrer;

  for (let pages = 1; ; pages += 1) {
    const metrics = toMetrics(person, pageUrl, referrer);
    records.push({ atMs, valid: { kind: 'page_view', body: { Metrics: metrics } } });
    const readMs = readingTime(page, random);
    const done = chooseEvent(page, person, random);
    if (done !== undefined) {
      const { Name, Parameters } = done;
      const eventAtMs = atMs + Math.ceil(readMs * (page.term === undefined ? 0.7 : 0.05));
      records.push({
        atMs: eventAtMs,
        valid: { kind: 'event', body: { Name, Parameters, Metrics: metrics } },
      });
    }
    const isStaying = done?.leadsTo !== undefined || random.chance(pages === 1 ? staying[way] : goingOn);
    if (!isStaying || pages === maxPages) return records;
    page = done?.leadsTo === undefined ? site.goOn(page, random) : site.open(done.leadsTo, random);
    referrer = pageUrl;
    pageUrl = origin + page.address;
    atMs += readMs;
  }
}

export function toMetrics(person: Person, pageUrl: string, referrer: string | null): Metrics {
  const { Browser, Identify, Language, Screen, Location } = person;
  return {
    Browser,
    Identify,
    Language,
    Screen,
    Location,
    Page: { Absolute: pageUrl },
    Referrer: { Absolute: referrer },
  };
}

/**
 * Returns how long someone stays on a page. Short for pages that people only pass through, and never so long
 * that the visit would end.
 */
function readingTime(page: Page, random: Random): number {
  const isText = page.group === 'docs' || page.group === 'post';
  const seconds = isText ? random.spread(75, 1.1) : random.spread(24, 0.9);
  return Math.min(maxGapMs, Math.round((2 + seconds) * 1000));
}

function addQuery(url: string, query: string | undefined): string {
  if (query === undefined || query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
