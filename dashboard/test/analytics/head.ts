import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addDays } from '@trackside/contract/calendar/day.ts';
import { mondayOf } from '@trackside/contract/calendar/week.ts';
import { namedPeriod } from '@trackside/contract/stats/periods.ts';
import type { Page } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, chips, dialog, field, menuItem, period, search, shows, turnTo, value } from './read-page.ts';
import { ofToday, ofYesterday, type Person, people } from './traffic.ts';

/** What the numbers are about: the website, the period, the comparison, the interval and the filters. */
export async function testHead(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { days, shop, blog, trackside } = stage;
  const address = `/websites/${shop.id}`;
  const open = (view = '') => turnTo(page, `${address}${view}`);
  const visitors = () => value(page, 'Visitors');
  const showsVisitors = (of: readonly Person[]) => shows(visitors, String(visitorsOf(of)));
  const germans = ofToday.filter(({ place }) => place.code === 'DE');

  await t.test('the site switcher leads to the other website and its current visitors', async () => {
    const now = () => page.locator('.live-count b').textContent();
    await page.goto(trackside.origin() + address);
    await shows(now, String(visitorsOf(people)));
    await button(page, /^Switch website, currently shop\.test/).click();
    await page.getByRole('menuitem', { name: 'blog.test' }).click();
    await page.waitForURL(`**/websites/${blog.id}`);
    await button(page, /^Switch website, currently blog\.test/).waitFor();
    await shows(now, '1');
    await shows(visitors, '1');
  });

  await t.test('each range shows its numbers', async () => {
    const monthOf = (day: string) => day.slice(0, 7);
    const inMonth = (months: number) => {
      const [year = 0, month = 0] = days.today.split('-').map(Number);
      const wanted = new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 7);
      return people.filter(({ day }) => monthOf(days[day]) === wanted);
    };
    const since = (day: string) => people.filter((person) => days[person.day] >= day);
    const monday = mondayOf(days.today);
    const quarter = namedPeriod('thisQuarter', days.today, days.today).from;
    // The minutes of records are not known here, so the last 24 hours have at least the records of today.
    const ranges: [label: string, period: string, of: readonly Person[], key: string][] = [
      ['Last 24 hours', '?period=24h', people, 'h'],
      ['Today', '?period=today', ofToday, '1'],
      ['Yesterday', '?period=yesterday', ofYesterday, '2'],
      ['Last 7 days', '?period=7d', people, '3'],
      ['Last 30 days', '', people, '4'],
      ['Last 90 days', '?period=90d', people, '5'],
      ['This week', '?period=thisWeek', since(monday), 'w'],
      ['This month', '?period=thisMonth', inMonth(0), '6'],
      ['Last month', '?period=lastMonth', inMonth(-1), '7'],
      ['This quarter', '?period=thisQuarter', since(quarter), 'q'],
      ['Year to date', '?period=thisYear', since(`${days.today.slice(0, 4)}-01-01`), 'y'],
      ['Last 12 months', '?period=12m', inMonth(-1), '8'],
      ['All time', '?period=all', people, '9'],
    ];
    // After a reload, the page doesn't ask for the panels far below yet, which don't matter here.
    await page.goto(trackside.origin() + address);
    await period(page).click();
    const offered = await page.getByRole('menuitemradio').locator('.grow').allTextContents();
    assert.deepEqual(offered, [...ranges.map(([label]) => label), 'Custom range…']);
    // How days add up to a month or a year is tested on the server's side.
    const ofDays = ['Today', 'Yesterday', 'Last 7 days', 'All time'];
    for (const [index, [label, address, of, key]] of ranges.entries()) {
      // The first one is chosen from the menu, the others by their keys.
      if (index === 0) await menuItem(page, label).click();
      else await page.keyboard.press(key);
      await page.waitForURL((url) => url.search === address);
      if (label === 'Last 24 hours' || (!isLongForm && !ofDays.includes(label))) continue;
      await period(page).filter({ hasText: label }).waitFor();
      await shows(visitors, String(visitorsOf(of)), label);
    }
  });

  await t.test('a custom range shows the days that were typed', async () => {
    await period(page).click();
    await page.getByText('Custom range…').click();
    await field(page, 'From').fill(addDays(days.yesterday, -1));
    await field(page, 'To').fill(days.yesterday);
    await button(page, 'Apply range').click();
    await showsVisitors(ofYesterday);
    assert.equal(search(page), `?period=${addDays(days.yesterday, -1)}..${days.yesterday}`);
  });

  const goOn = async () => {
    await open('?period=today');
    await showsVisitors(ofToday);
    assert.equal(await button(page, 'Next period').getAttribute('aria-disabled'), 'true');
    await button(page, 'Previous period').click();
    await showsVisitors(ofYesterday);
    await button(page, 'Previous period').click();
    await showsVisitors([]);
    await button(page, 'Next period').click();
    await showsVisitors(ofYesterday);
    await button(page, 'Next period').click();
    await showsVisitors(ofToday);
    assert.equal(search(page), '?period=today');
  };
  // On a stand-in, this is always tested by `behaviour/analytics-view.ts`; the lengths are tested beside
  // `shift-period.ts`.
  if (isLongForm)
    await t.test('previous and next move by the length of the period, and not beyond today', goOn);

  await t.test('compares with the previous period, the year before, or nothing', async () => {
    const change = page.locator('.stat-change').first();
    await open('?period=today');
    const grown = `+${(ofToday.length / ofYesterday.length - 1) * 100}%`;
    const changed = async () => (await change.textContent())?.match(/^[+−]\d+%/)?.[0];
    await shows(changed, grown);
    await button(page, /^Compare/).click();
    await menuItem(page, 'Same period last year').click();
    const told = () => change.locator('[title]').getAttribute('title');
    await shows(async () => /^No change shown: data begins on /.test((await told()) ?? ''), true);
    assert.doesNotMatch((await change.textContent()) ?? '', /%|New/, 'a year ago there was no record');
    assert.equal(search(page), '?period=today&compare=previousYear');
    await button(page, /^Compare/).click();
    await menuItem(page, 'Custom range…').click();
    await field(page, 'From').fill(days.yesterday);
    await field(page, 'To').fill(days.yesterday);
    await button(page, 'Apply range').click();
    await shows(changed, grown);
    assert.equal(search(page), `?period=today&compare=${days.yesterday}..${days.yesterday}`);
    await button(page, /^Compare/).click();
    await menuItem(page, 'No comparison').click();
    await change.waitFor({ state: 'detached' });
    assert.equal(search(page), '?period=today&compare=none');
    assert.doesNotMatch((await page.locator('.period-text').textContent()) ?? '', /compared/);
  });

  await t.test('offers the intervals of the chart that fit', async () => {
    const times = page.locator('.chart tbody tr');
    const choose = async (label: string) => {
      await button(page, /^Chart interval/).click();
      await menuItem(page, label).click();
    };
    await open('?period=7d');
    await shows(() => times.count(), 7);
    await choose('By hour');
    await shows(() => times.count(), 7 * 24);
    assert.equal(search(page), '?period=7d&interval=hour');
    await page.keyboard.press('1');
    await shows(() => times.count(), 24);
    await page.getByText('Visitors by hour').waitFor({ state: 'attached' });
    if (isLongForm) {
      await choose('By minute');
      await shows(() => times.count(), 24 * 60);
      await page.getByText('Visitors by minute').waitFor({ state: 'attached' });
    }
  });

  await t.test('builds a filter from existing values, changes it, and removes it by its cross', async () => {
    await open('?period=today');
    await showsVisitors(ofToday);
    await button(page, 'Filter').click();
    await field(page, 'Filter by').selectOption('Country');
    const options = dialog(page).getByRole('option', { name: /\d$/ });
    await shows(() => options.count(), new Set(ofToday.map(({ place }) => place.code)).size);
    await field(page, 'Value').fill('germ');
    await dialog(page)
      .getByRole('option', { name: `Germany ${germans.length}` })
      .click();
    await showsVisitors(germans);
    assert.deepEqual(await chips(page), ['Country is Germany']);

    await page.locator('.chip-text').click();
    await field(page, 'Condition').selectOption('is not');
    await button(page, 'Save filter').click();
    await showsVisitors(ofToday.filter((person) => !germans.includes(person)));
    assert.equal(search(page), '?period=today&f=country:isNot:DE');

    await button(page, 'Remove filter: Country is not Germany').click();
    await showsVisitors(ofToday);
    assert.equal(search(page), '?period=today');
  });

  await t.test('edits a filter by a value that has no records', async () => {
    await open('?period=yesterday&f=country:is:FR');
    await showsVisitors([]);
    await page.locator('.chip-text').click();
    await field(page, 'Condition').selectOption('is not');
    await button(page, 'Save filter').click();
    await showsVisitors(ofYesterday);
    assert.deepEqual(await chips(page), ['Country is not France']);
  });

  const filterTwice = async () => {
    await open('?period=today&f=country:anyOf:DE|FR&f=page:contains:articles');
    const readers = germans.filter(({ steps }) => steps[0]?.page.startsWith('/articles'));
    await showsVisitors(readers);
    assert.deepEqual(await chips(page), ['Country is any of Germany, France', 'Page contains articles']);
    await button(page, /^Remove filter: Page/).click();
    await showsVisitors(ofToday.filter(({ place }) => ['DE', 'FR'].includes(place.code)));
  };
  // Two filters at once are also tested in `reports.ts`, and removing one by its cross above.
  if (isLongForm) await t.test('several filters apply together, and each can be removed alone', filterTwice);

  await t.test(
    'the address defines the view, even after a reload, and Back leads through the views',
    async () => {
      await open('?period=today');
      await showsVisitors(ofToday);
      await page.keyboard.press('2');
      await showsVisitors(ofYesterday);
      await page.getByRole('region', { name: 'Sources' }).getByTitle('Google', { exact: true }).click();
      const fromGoogle = ofYesterday.filter(({ origin }) => origin.source === 'Google');
      await showsVisitors(fromGoogle);

      await page.reload();
      await showsVisitors(fromGoogle);
      assert.deepEqual(await chips(page), ['Source is Google']);
      await period(page).filter({ hasText: 'Yesterday' }).waitFor();

      await page.goBack();
      await showsVisitors(ofYesterday);
      assert.deepEqual(await chips(page), []);
      await page.goBack();
      await showsVisitors(ofToday);
      await page.goForward();
      await showsVisitors(ofYesterday);
    },
  );
}
