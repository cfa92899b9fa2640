import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { times } from '../../test/support/long-form.ts';
import { createValidate } from '../intake/steps/validate.ts';
import { recordColumns } from '../records/record-columns.ts';
import { createDemo } from './create-demo.ts';
import { createRowWriter } from './create-row-writer.ts';
import { demoFunnels } from './demo-funnels.ts';
import { planNotes } from './plan-notes.ts';

type Column = (typeof recordColumns)[number];
type Row = Omit<Record<Column, string>, keyof OtherColumns> & OtherColumns;
type OtherColumns = {
  website_id: number;
  has_client_id: boolean;
  is_bot: boolean;
  screen_width: number;
  screen_height: number;
  parameter_names: string[];
  parameter_values: string[];
};

const now = '2026-03-10 09:00:00.000';
const options = {
  domain: 'demo.trackside.test',
  timezone: 'Europe/Berlin',
  days: 365,
  visitsPerDay: times(30, 60),
  seed: 1,
  nowMs: Date.parse('2026-03-10T09:00:00Z'),
};
const website = { id: 7, domain: options.domain, timezone: options.timezone };
const demo = createDemo(options);
const writeRow = createRowWriter(website, options.seed);
const sent = demo.days.map((day) => demo.recordsOf(day));
const payloads = sent.flat().map(writeRow);
const rows = payloads.map(toRow);
const people = rows.filter(({ is_bot }) => !is_bot);
const pageViews = people.filter(({ kind }) => kind === 'page_view');
const pageViewsOf = Map.groupBy(pageViews, ({ day }) => day);
const byDay = demo.days.map(({ day }) => pageViewsOf.get(day) ?? []);

function toRow(payload: string): Row {
  const values: unknown[] = JSON.parse(payload);
  return Object.fromEntries(recordColumns.map((column, index) => [column, values[index]])) as Row;
}

const countVisitors = (some: readonly Row[]) => new Set(some.map(({ visitor_id }) => visitor_id)).size;
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const distinct = (column: keyof Row, some = rows) => new Set(some.map((row) => row[column]));
function withParameters({ parameter_names, parameter_values }: Row): Record<string, string> {
  return Object.fromEntries(parameter_names.map((name, index) => [name, parameter_values[index]!]));
}

describe('the rows of a demo', () => {
  test('are the same for the same seed, and different for another', () => {
    const make = (seed: number) => {
      const again = createDemo({ ...options, days: 20, seed });
      const write = createRowWriter(website, seed);
      return again.days.flatMap((day) => again.recordsOf(day)).map(write);
    };
    assert.deepEqual(make(5), make(5));
    assert.notDeepEqual(make(5), make(6));
  });

  test('come from bodies that the server would accept', () => {
    const validate = createValidate();
    for (const { valid } of sent.flat()) {
      const verdict = validate(valid.kind, { json: valid.body });
      assert.ok(!('refused' in verdict), JSON.stringify(verdict));
    }
  });

  test('have a value for every column', () => {
    for (const payload of payloads) assert.equal(JSON.parse(payload).length, recordColumns.length);
    for (const row of rows) {
      assert.match(row.visitor_id, /^\d{1,20}$/);
      assert.match(row.received_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
      assert.equal(row.local_at.slice(0, 10), row.day);
      assert.equal(row.host, options.domain);
      assert.equal(row.website_id, 7);
      assert.equal(row.kind === 'event', row.event_name !== '');
    }
  });

  test('are in the planned days, in order, and never in the future', () => {
    const days = new Set(demo.days.map(({ day }) => day));
    let last = '';
    for (const { received_at, day } of rows) {
      assert.ok(received_at <= now && received_at >= last, received_at);
      assert.ok(days.has(day));
      last = received_at;
    }
    assert.ok(last > '2026-03-10 08:00', last);
  });

  test('amount to about the requested number', () => {
    const ratio = mean(byDay.slice(0, -1).map(countVisitors)) / options.visitsPerDay;
    assert.ok(ratio > 0.83 && ratio < 1.25, String(ratio));
  });
});

describe('the rhythm of a demo', () => {
  test('has fewer visitors on weekends', () => {
    const mean7 = (isWeekend: boolean) =>
      mean(byDay.filter((_, index) => demo.days[index]!.isWeekend === isWeekend).map(countVisitors));
    assert.ok(mean7(true) < 0.7 * mean7(false), `${mean7(true)} and ${mean7(false)}`);
  });

  test('has quiet nights', () => {
    const within = (from: string, to: string) =>
      people.filter(({ local_at }) => local_at.slice(11, 13) >= from && local_at.slice(11, 13) < to).length;
    assert.ok(within('01', '05') < 0.4 * within('14', '18'), `${within('01', '05')}, ${within('14', '18')}`);
  });

  test('grows over the year', () => {
    const visitors = byDay.map(countVisitors);
    const [first, last] = [mean(visitors.slice(0, 28)), mean(visitors.slice(-29, -1))];
    assert.ok(last > 1.5 * first && last < 3 * first, `${first}, ${last}`);
  });

  test('has one viral day, thanks to Hacker News', () => {
    const visitors = byDay.map(countVisitors);
    const most = visitors.indexOf(Math.max(...visitors));
    assert.equal(demo.days[most]!.day, demo.viralDay);
    const median = [...visitors].sort((a, b) => a - b)[Math.floor(visitors.length / 2)]!;
    assert.ok(visitors[most]! > 5 * median, `${visitors[most]} and ${median}`);
    const fromHackerNews = byDay[most]!.filter(({ source }) => source === 'Hacker News');
    assert.ok(fromHackerNews.length > 0.3 * byDay[most]!.length);
  });
});

describe('the campaigns of a demo', () => {
  test('last a few weeks each', () => {
    assert.ok(demo.campaigns.length >= 5);
    for (const { firstIndex, lastIndex } of demo.campaigns.slice(0, -1)) {
      const days = lastIndex - firstIndex + 1;
      assert.ok(days >= 14 && days <= 28, String(days));
    }
  });

  test('have visits during their weeks and at no other time', () => {
    for (const { name, firstIndex, lastIndex } of demo.campaigns) {
      const days = distinct(
        'day',
        rows.filter(({ utm_campaign }) => utm_campaign === name),
      );
      const planned = new Set(demo.days.slice(firstIndex, lastIndex + 1).map(({ day }) => day));
      assert.ok(days.isSubsetOf(planned), name);
      assert.ok(days.size > 0.8 * planned.size, `${name}: ${days.size} of ${planned.size} days`);
    }
    const names = new Set(['', ...demo.campaigns.map(({ name }) => name)]);
    assert.deepEqual(distinct('utm_campaign'), names);
  });
});

describe('the visitors of a demo', () => {
  test('come through many channels, including AI assistants', () => {
    const unpaid = ['ai', 'direct', 'email', 'internal', 'referral', 'search', 'social', 'video'];
    const channels = [...unpaid, 'paid', 'paidSearch', 'paidSocial'];
    assert.deepEqual([...distinct('channel')].sort(), channels.sort());
    const sources = distinct('source');
    for (const source of [
      'Google',
      'DuckDuckGo',
      'Reddit',
      'GitHub',
      'Gmail',
      'ChatGPT',
      'Claude',
      'Perplexity',
    ])
      assert.ok(sources.has(source), source);
  });

  test('live in many countries, with matching regions, cities and languages', () => {
    assert.ok(distinct('country').size > 25);
    const german = people.filter(({ country }) => country === 'DE');
    assert.ok(german.length > 0.15 * people.length);
    for (const { continent, timezone, postal_code } of german) {
      assert.deepEqual([continent, timezone], ['EU', 'Europe/Berlin']);
      assert.match(postal_code, /^\d{5}$/);
    }
    assert.ok(german.filter(({ language }) => language === 'de').length > 0.7 * german.length);
  });

  test('have screens that fit their devices', () => {
    for (const { device, screen_width, screen_height } of people) {
      if (device === 'mobile') assert.ok(screen_width < 450 && screen_height > screen_width);
      if (device === 'desktop') assert.ok(screen_width >= 1366 && screen_height < screen_width);
    }
    assert.deepEqual([...distinct('device', people)].sort(), ['desktop', 'mobile', 'tablet']);
  });

  test('go from page to page, or leave after one', () => {
    const visits = Map.groupBy(pageViews, ({ day, visitor_id }) => `${day} ${visitor_id}`);
    const bounces = [...visits.values()].filter(({ length }) => length === 1).length / visits.size;
    assert.ok(bounces > 0.35 && bounces < 0.6, String(bounces));
    for (const views of visits.values()) {
      const seen = new Set<string>();
      for (const { channel, referrer, path, query } of views) {
        if (channel === 'internal') assert.ok(seen.has(referrer), `${referrer} before ${path}`);
        seen.add(`https://${options.domain}${path}${query === '' ? '' : `?${query}`}`);
      }
    }
  });

  test('are recognized on other days if they have a ClientId, and only then', () => {
    const days = Map.groupBy(people, ({ visitor_id }) => visitor_id);
    const share = people.filter(({ has_client_id }) => has_client_id).length / people.length;
    assert.ok(share > 0.02 && share < 0.12, String(share));
    let members = 0;
    let lasting = 0;
    for (const records of days.values()) {
      const dates = [...distinct('day', records)].map((day) => Date.parse(String(day)));
      if (records[0]!.has_client_id) {
        members += 1;
        if (Math.max(...dates) - Math.min(...dates) >= 14 * 86_400_000) lasting += 1;
      } else assert.equal(dates.length, 1);
    }
    assert.ok(members > 20 && lasting > 0.6 * members, `${lasting} of ${members}`);
  });

  test('trigger events with parameters', () => {
    const events = Map.groupBy(
      people.filter(({ kind }) => kind === 'event'),
      ({ event_name }) => event_name,
    );
    const parameters: Record<string, Record<string, RegExp>> = {
      Signup: { plan: /^(free|pro|team)$/, method: /^(email|google|github)$/ },
      Purchase: {
        plan: /^(pro|team|business)$/,
        interval: /ly$/,
        value: /^\d+\.00$/,
        currency: /^[A-Z]{3}$/,
      },
      Download: { file: /^(lantern|docker)/, version: /^\d/ },
      Search: { term: /./, results: /^\d+$/ },
    };
    for (const [name, expected] of Object.entries(parameters)) {
      const found = events.get(name) ?? [];
      assert.ok(found.length > 10, `${found.length} of ${name}`);
      for (const row of found) {
        const values = withParameters(row);
        assert.deepEqual(Object.keys(values), Object.keys(expected));
        for (const [key, pattern] of Object.entries(expected)) assert.match(values[key]!, pattern);
      }
    }
  });
});

describe('the funnels of a demo', () => {
  for (const { name, steps } of demoFunnels) {
    test(`"${name}" is completed by some, and each step loses visitors`, () => {
      const isStep = (row: Row, step: (typeof steps)[number]) =>
        'page' in step ? row.kind === 'page_view' && row.path === step.page : row.event_name === step.event;
      const depths = [...Map.groupBy(people, ({ day, visitor_id }) => `${day} ${visitor_id}`).values()].map(
        (records) => {
          let depth = 0;
          for (const row of records) if (depth < steps.length && isStep(row, steps[depth]!)) depth += 1;
          return depth;
        },
      );
      const reached = steps.map((_, index) => depths.filter((depth) => depth > index).length);
      assert.ok(reached.at(-1)! > 10, reached.join());
      for (const [index, count] of reached.entries())
        assert.ok(index === 0 || count < reached[index - 1]!, reached.join());
    });
  }
});

describe('the notes of a demo', () => {
  test('are about the viral day, and the first day of a campaign of the last month', () => {
    const [viral, offer] = planNotes(demo);
    assert.deepEqual([viral!.day, viral!.text.slice(0, 25)], [demo.viralDay, 'Front page of Hacker News']);
    const withOffer = distinct(
      'day',
      rows.filter(({ utm_campaign }) => utm_campaign === 'year-two-offer'),
    );
    assert.equal([...withOffer].sort()[0], offer!.day);
    assert.ok(offer!.day > demo.days.at(-30)!.day, offer!.day);
  });

  test('fall within a demo of any length', () => {
    for (const length of [1, 2, 7, 400]) {
      const { days, ...short } = createDemo({ ...options, days: length });
      for (const note of planNotes({ days, ...short })) assert.ok(days.some(({ day }) => day === note.day));
    }
  });
});

describe('the bots of a demo', () => {
  test('make up about a tenth, and have names', () => {
    const bots = rows.filter(({ is_bot }) => is_bot);
    const share = bots.length / rows.length;
    assert.ok(share > 0.05 && share < 0.2, String(share));
    const names = distinct('bot', bots);
    for (const name of ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'Googlebot', 'bingbot', 'AhrefsBot'])
      assert.ok(names.has(name), name);
    assert.deepEqual(distinct('bot', people), new Set(['']));
  });
});

test('a demo of one day has records', () => {
  const short = createDemo({ ...options, days: 1 });
  assert.ok(short.recordsOf(short.days[0]!).length > 10);
});
