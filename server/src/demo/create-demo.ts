import { createChoice, type Weighted } from './create-choice.ts';
import { createPersonMaker, type Person } from './create-person-maker.ts';
import { createRandom, type Random } from './create-random.ts';
import { createSites, type Site } from './create-sites.ts';
import { createStartChooser } from './create-start-chooser.ts';
import { demoCrawlers } from './demo-crawlers.ts';
import { demoOrigins, type Origin, type OriginKind } from './demo-origins.ts';
import { makeCrawl } from './make-crawl.ts';
import { type DemoRecord, makeVisit, type VisitOptions } from './make-visit.ts';
import { type Campaign, planCampaigns } from './plan-campaigns.ts';
import { type DemoDay, type PlanOptions, planDays } from './plan-days.ts';
import { planMembers } from './plan-members.ts';

export type Demo = {
  days: DemoDay[];
  campaigns: Campaign[];
  viralDay: string;
  /** Returns the records of one day up to now, in the order in which they came. */
  recordsOf(day: DemoDay): DemoRecord[];
};

const minuteMs = 60_000;
/** The number of bot visits for each visit on a usual day. */
const crawlsPerVisit = 0.06;
const comingBack = 0.07;
const viralOrigins: Weighted<Origin> = [
  [66, { referrer: 'https://news.ycombinator.com/' }],
  [17, { referrer: null }],
  [6, { referrer: 'https://www.reddit.com/' }],
  [4, { referrer: 'https://t.co/' }],
  [4, { referrer: 'https://lobste.rs/' }],
  [3, { referrer: 'https://hckrnews.com/' }],
];

/** Plans a demo and makes its records, day by day. The same options give the same records. */
export function createDemo(options: PlanOptions & { domain: string }): Demo {
  const { seed, nowMs } = options;
  const { days, viralIndex } = planDays(options);
  const campaigns = planCampaigns(options.days);
  const origin = `https://${options.domain}`;
  const siteOn = createSites({ days: options.days, viralIndex });
  const starts = createStartChooser();
  const makePerson = createPersonMaker();
  const membersOn = planMembers({ ...options, days, makePerson });
  const chooseOrigin = createOriginChooser();
  const chooseViralOrigin = createChoice(viralOrigins);
  const campaignOrigins = new Map(campaigns.map((campaign) => [campaign, createChoice(campaign.origins)]));

  function* visitsOf(day: DemoDay, site: Site, random: Random): Generator<VisitOptions> {
    const newPerson = () =>
      makePerson({ random, atMs: day.startMs, isWeekend: day.isWeekend, clientId: null });
    const startFor = (person: Person) => starts.visit(day, person.timezone, random);
    const common = { site, origin, random };

    const members = membersOn(day);
    for (const person of members) {
      yield { ...common, person, way: 'member', referrer: null, startMs: startFor(person) };
    }
    const chooseKind = createChoice(originKinds(day.progress));
    for (let count = members.length; count < day.visits; count += 1) {
      const person = newPerson();
      const startMs = startFor(person);
      const way = chooseKind(random);
      const { referrer, query } = chooseOrigin(way, person.country, random);
      yield { ...common, person, way, referrer, query, startMs };
      if (!random.chance(comingBack)) continue;
      count += 1;
      const againMs = startMs + random.between(45, 500) * minuteMs;
      yield { ...common, person, way: 'direct', referrer: null, startMs: againMs };
    }
    for (const campaign of campaigns) {
      if (day.index < campaign.firstIndex || day.index > campaign.lastIndex) continue;
      const chooseFrom = campaignOrigins.get(campaign)!;
      for (let count = Math.round(day.visits * campaign.lift); count > 0; count -= 1) {
        const person = newPerson();
        const entry = site.open(campaign.landing, random);
        const query = campaignQuery(campaign, random);
        const { referrer } = chooseFrom(random);
        yield { ...common, person, way: campaign.way, entry, referrer, query, startMs: startFor(person) };
      }
    }
    for (let count = day.viralVisits; count > 0; count -= 1) {
      const startMs = starts.viral(day, day.index === viralIndex, random);
      const { referrer } = chooseViralOrigin(random);
      yield { ...common, person: newPerson(), way: 'viral', referrer, startMs };
    }
  }

  function crawlsOf(day: DemoDay, site: Site, random: Random): DemoRecord[] {
    const factor = { ai: 0.5 + day.progress, other: 1 };
    const choose = createChoice(
      demoCrawlers.map(([weight, crawler]) => [weight * factor[crawler.kind], crawler]),
    );
    const records: DemoRecord[] = [];
    for (let count = Math.ceil(day.usualVisits * crawlsPerVisit); count > 0; count -= 1) {
      const startMs = random.between(day.startMs, day.endMs - 1);
      records.push(...makeCrawl({ site, origin, crawler: choose(random), startMs, random }));
    }
    return records;
  }

  return {
    days,
    campaigns,
    viralDay: days[viralIndex]!.day,
    recordsOf(day) {
      const random = createRandom(seed, 'day', day.day);
      const site = siteOn(day.index);
      const records = crawlsOf(day, site, random);
      for (const visit of visitsOf(day, site, random)) records.push(...makeVisit(visit));
      // A visit ends with the day, and no record may be later than now.
      return records.filter(({ atMs }) => atMs < day.endMs && atMs <= nowMs).sort((a, b) => a.atMs - b.atMs);
    },
  };
}

/**
 * Returns the kinds of origins with their weights. Assistants send twice as many visitors at the end of a
 * year as at its beginning, mostly instead of search engines.
 */
function originKinds(progress: number): Weighted<OriginKind> {
  const ai = 5 + 6 * progress;
  return [
    [27, 'direct'],
    [48 - ai, 'search'],
    [13, 'social'],
    [ai, 'ai'],
    [8, 'referral'],
    [4, 'email'],
  ];
}

function createOriginChooser(): (kind: OriginKind, country: string, random: Random) => Origin {
  const choices = new Map(
    Object.entries(demoOrigins).map(([kind, weighted]) => [kind, createChoice(weighted)]),
  );
  return (kind, country, random) => {
    const choose = choices.get(kind)!;
    // This loop ends, because every kind has sources for all countries.
    for (;;) {
      const origin = choose(random);
      if (origin.countries === undefined || origin.countries.includes(country)) return origin;
    }
  };
}

function campaignQuery({ source, medium, name, terms, contents }: Campaign, random: Random): string {
  const query = new URLSearchParams({ utm_source: source, utm_medium: medium, utm_campaign: name });
  if (terms.length > 0) query.set('utm_term', random.pick(terms));
  if (contents.length > 0) query.set('utm_content', random.pick(contents));
  return query.toString();
}
