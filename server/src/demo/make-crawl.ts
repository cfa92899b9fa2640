import { makeAddress, type Person } from './create-person-maker.ts';
import type { Random } from './create-random.ts';
import type { Site } from './create-sites.ts';
import type { Crawler } from './demo-crawlers.ts';
import { type DemoRecord, toMetrics } from './make-visit.ts';

/** Data centers that bots run in. */
const homes = [
  {
    City: 'Ashburn',
    Region: 'Virginia',
    RegionCode: 'VA',
    PostalCode: '20147',
    Timezone: 'America/New_York',
  },
  {
    City: 'Boardman',
    Region: 'Oregon',
    RegionCode: 'OR',
    PostalCode: '97818',
    Timezone: 'America/Los_Angeles',
  },
  {
    City: 'Council Bluffs',
    Region: 'Iowa',
    RegionCode: 'IA',
    PostalCode: '51501',
    Timezone: 'America/Chicago',
  },
];

/** Makes the records of a bot's visit: no screen, no referrer, no pause to read. */
export function makeCrawl(options: {
  site: Site;
  origin: string;
  crawler: Crawler;
  startMs: number;
  random: Random;
}): DemoRecord[] {
  const { site, origin, crawler, random } = options;
  const home = random.pick(homes);
  const person: Person = {
    country: 'US',
    timezone: home.Timezone,
    Browser: { IP: makeAddress(random), UserAgent: crawler.userAgent },
    Identify: { ClientId: null },
    Language: { Code: 'en' },
    Screen: { Width: 0, Height: 0 },
    Location: { ContinentCode: 'NA', CountryCode: 'US', ...home },
  };
  const records: DemoRecord[] = [];
  const pages = random.between(...crawler.pages);
  let atMs = options.startMs;
  for (let taken = 0; taken < pages; taken += 1) {
    const page = site.enter(taken === 0 ? 'direct' : 'search', random);
    const metrics = toMetrics(person, origin + page.address, null);
    records.push({ atMs, valid: { kind: 'page_view', body: { Metrics: metrics } } });
    atMs += random.between(900, 45_000);
  }
  return records;
}
