import { listIntervals } from '@trackside/contract/calendar/intervals.ts';
import { listWeeks } from '@trackside/contract/calendar/week.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { readGoals } from '../../../server/src/stats/plan/answer-goals.ts';
import { readFunnel, readPaths, readRetention } from '../../../server/src/stats/reports/read-reports.ts';
import type { Goal, LiveScene } from '../../src/api/shapes.ts';
import { type CountedSite, chance, visitorsIn, visitorsOfEach } from './stand-in-counts.ts';
import { shareOf, shareOfGoal, standInQuery } from './stand-in-query.ts';
import { type StandInValue, standInValues } from './stand-in-values.ts';

type Report<Kind extends StatsKind> = WithoutAbout<Answers[Kind]>;

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** Each step is taken by some of those who took the previous one. */
export function standInFunnel(site: CountedSite, body: unknown): Report<'funnel'> {
  const { period, filters, steps } = readFunnel(body, site);
  let visitors = Math.round(visitorsIn(site, period) * shareOf(filters) * 0.21);
  const reached = steps.map((step, index) => {
    if (index > 0) visitors = Math.round(visitors * (0.28 + 0.4 * chance(JSON.stringify(step))));
    return { step, visitors };
  });
  return {
    period,
    visitorsAre: 'mixed',
    steps: reached.map((one, index) => ({
      ...one,
      shareOfFirst: share(one.visitors, reached[0]!.visitors),
      shareOfPrevious: index === 0 ? null : share(one.visitors, reached[index - 1]!.visitors),
    })),
  };
}

/** Roughly the same share of the visitors reaches a goal, whatever the days. */
export function standInGoals(site: CountedSite, body: unknown, goals: readonly Goal[]): Report<'goals'> {
  const { question, comparison, interval } = readGoals(body, site);
  const of = shareOf(question.filters);
  const visitors = Math.round(visitorsIn(site, question.period) * of);
  const numbers = (all: number, rate: number) => ({
    conversions: Math.round(all * rate),
    conversionRate: all === 0 ? null : Math.round(all * rate) / all,
  });
  const times = interval === undefined ? undefined : listIntervals(interval, question.period);
  return {
    period: question.period,
    ...(comparison !== undefined && { comparison }),
    visitorsAre: 'mixed',
    visitors,
    goals: goals.map((goal) => {
      const rate = shareOfGoal(goal.goal);
      const each = times && visitorsOfEach(site, times, question.period);
      return {
        ...goal,
        ...numbers(visitors, rate),
        ...(comparison !== undefined && {
          comparison: numbers(Math.round(visitorsIn(site, comparison) * of), rate * 0.94),
        }),
        ...(times !== undefined && {
          trend: times.map((time, at) => ({
            time,
            conversions: Math.round(each![at]! * of * rate * (0.7 + 0.6 * chance(time + goal.id))),
          })),
        }),
      };
    }),
  };
}

/** Only the first website sends ClientIds. Without them, each week has an empty cohort. */
export function standInRetention(
  site: CountedSite,
  body: unknown,
  hasClientIds: boolean,
): Report<'retention'> {
  const { period, filters } = readRetention(body, site);
  const all = visitorsIn(site, period) * shareOf(filters);
  const mondays = listWeeks(period.from, period.to);
  return {
    period,
    visitorsWithoutClientId: Math.round(all * (hasClientIds ? 0.82 : 1)),
    cohorts: mondays.map((week, index) => {
      const visitors = hasClientIds
        ? Math.round((all / mondays.length) * 0.12 * (0.8 + 0.4 * chance(week)))
        : 0;
      const weeks = mondays
        .slice(index)
        .map((later, since) =>
          since === 0
            ? visitors
            : Math.round(visitors * 0.42 * since ** -0.55 * (0.85 + 0.3 * chance(week + later))),
        );
      return { week, visitors, weeks };
    }),
  };
}

export function standInPaths(site: CountedSite, body: unknown): Report<'paths'> {
  const { period, filters, page, steps, limit } = readPaths(body, site);
  const visits = Math.round(
    visitorsIn(site, period) * shareOf([...filters, { dimension: 'page', is: page }]) * 1.28,
  );
  const [entries, exits] = [Math.round(visits * 0.58), Math.round(visits * 0.47)];
  const others = standInValues.page.filter(({ value }) => value !== page).slice(0, 7);
  const towards = (left: number, seed: string) =>
    Array.from({ length: steps }, (_, index) => {
      const here = Math.round(left * 0.6 ** index);
      return { step: index + 1, visits: here, pages: shareOut(here, others, seed + index).slice(0, limit) };
    });
  return {
    period,
    visits,
    entries,
    exits,
    before: towards(visits - entries, 'before'),
    after: towards(visits - exits, 'after'),
  };
}

/** Highest first. Some of the visits go to pages that are not listed. */
function shareOut(visits: number, values: readonly StandInValue[], seed: string) {
  const weights = values.map(({ value }) => 0.2 + chance(seed + value));
  const sum = weights.reduce((a, b) => a + b, 0) * 1.15;
  return values
    .map(({ value }, index) => ({ page: value, visits: Math.round((visits * weights[index]!) / sum) }))
    .filter((row) => row.visits > 0)
    .toSorted((a, b) => b.visits - a.visits);
}

const bots: Record<string, number> = {
  GPTBot: 4.2,
  ClaudeBot: 3.1,
  Googlebot: 2.8,
  bingbot: 1.4,
  PerplexityBot: 0.9,
  'ChatGPT-User': 0.8,
  Applebot: 0.5,
  AhrefsBot: 0.4,
  Bytespider: 0.3,
  CCBot: 0.2,
  DuckDuckBot: 0.1,
};

/** As many records as one visitor in ten would make. */
export function standInBots(site: CountedSite, question: Questions['bots']): Report<'bots'> {
  const { period } = standInQuery(site, { period: question.period });
  const { dimensions = ['bot'], bot, page, limit = 100, offset = 0 } = question;
  const visitors = visitorsIn(site, period);
  const pages = standInValues.page.slice(0, 20);
  const names = Object.keys(bots).filter((name) => bot === undefined || name === bot);
  const ofPage = (name: string) =>
    pages
      .filter(({ value }) => page === undefined || value === page)
      .map(({ value, share: part }) => ({ bot: name, page: value, records: bots[name]! * part }));
  const found = dimensions.includes('page')
    ? names.flatMap(ofPage)
    : names.map((name) => ({ bot: name, page: '', records: bots[name]! }));
  const grouped = Map.groupBy(found, (one) =>
    JSON.stringify(dimensions.map((key) => (key === 'bot' || key === 'page' ? one[key] : key))),
  );
  const rows = [...grouped]
    .map(([values, of]) => ({
      values: JSON.parse(values) as string[],
      records: Math.round((of.reduce((sum, { records }) => sum + records, 0) * visitors) / 100),
    }))
    .filter(({ records }) => records > 0)
    .toSorted((a, b) => b.records - a.records)
    .map(({ values, records }) => ({
      dimensions: Object.fromEntries(dimensions.map((key, index) => [key, values[index]!])),
      records,
      days: Math.min(records, 1 + Math.round(27 * chance(values.join()))),
      lastAt: `${site.now.day}T0${Math.floor(chance(values.join('/')) * 7)}:14:52`,
    }));
  return { period, totalRows: rows.length, rows: rows.slice(offset, offset + limit) };
}

const minutes = 30;

/** The last half hour. */
export function standInScene(site: CountedSite): LiveScene {
  const now = Math.round(site.visitorsADay / 70);
  const top = (values: readonly StandInValue[]) =>
    values
      .map(({ value, share: part }) => ({ value, visitors: Math.round(now * 2.2 * part) }))
      .filter(({ visitors }) => visitors > 0)
      .slice(0, 10);
  const pick = (values: readonly StandInValue[], index: number, seed: string) =>
    values[Math.floor(chance(`${seed}${index}`) * Math.min(6, values.length))]!.value;
  return {
    asOf: new Date().toISOString(),
    visitors: now,
    minutes: Array.from({ length: minutes }, (_, index) => {
      const visitors = Math.round(now * 0.4 * (0.5 + chance(`minute ${index}`)));
      return { minutesAgo: minutes - 1 - index, visitors, pageViews: visitors * 2 };
    }),
    pages: top(standInValues.page),
    sources: top(standInValues.source),
    countries: top(standInValues.country),
    latest: Array.from({ length: Math.min(20, now) }, (_, index) => ({
      at: new Date(Date.now() - 4_000 - index * 7_300).toISOString(),
      page: pick(standInValues.page, index, 'page'),
      event: chance(`event ${index}`) < 0.2 ? pick(standInValues.event, index, 'event') : null,
      country: pick(standInValues.country, index, 'country'),
      source: pick(standInValues.source, index, 'source'),
      browser: pick(standInValues.browser, index, 'browser'),
      device: pick(standInValues.device.slice(0, 2), index, 'device'),
    })),
  };
}
