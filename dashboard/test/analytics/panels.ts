import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { pagesOf, type Row, views, visitorsBy, visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, chips, dialog, panel, row, rows, search, shows, tab, turnTo, value } from './read-page.ts';
import { ofToday, type Person } from './traffic.ts';

type Tell = (person: Person) => string | undefined | readonly string[];

const languages: Record<string, string> = { de: 'German', fr: 'French', en: 'English', ja: 'Japanese' };
const tag =
  (name: string): Tell =>
  ({ origin }) =>
    (origin.tags as Record<string, string>)[name];

/** The lists, and the tables that they open. */
export async function testPanels(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { shop, trackside } = stage;
  const open = () => turnTo(page, `/websites/${shop.id}?period=today`);
  const visitors = () => value(page, 'Visitors');
  const showsVisitors = (of: readonly Person[]) => shows(visitors, String(visitorsOf(of)));

  /** Each tab of a panel, with a function that returns its values. */
  async function checkTabs(title: string, tabs: Record<string, Tell>): Promise<void> {
    for (const [name, tell] of Object.entries(tabs)) {
      await tab(panel(page, title), name).click();
      await shows(() => rows(panel(page, title)), visitorsBy(ofToday, tell), `${title}, ${name}`);
    }
  }

  await open();

  await t.test('shows sources, channels, referrers and all campaign tags', async () => {
    await checkTabs('Sources', {
      'Top sources': ({ origin }) => origin.source,
      Channels: ({ origin }) => origin.channel,
      Referrers: ({ origin }) => origin.referrer,
      UTM: tag('source'),
    });
    const sources = panel(page, 'Sources');
    for (const name of ['Medium', 'Campaign', 'Term', 'Content']) {
      await button(sources, name).click();
      await shows(() => rows(sources), visitorsBy(ofToday, tag(name.toLowerCase())), name);
    }
  });

  await t.test('shows entry and exit pages, and the pages with the most visitors', async () => {
    await checkTabs('Pages', {
      Entry: (person) => views(person)[0]?.page,
      Exit: (person) => views(person).at(-1)?.page,
    });
    await tab(panel(page, 'Pages'), 'Top pages').click();
    // Many pages have one visitor, and any of them may be among the first eight.
    const several = ([, count]: Row) => count !== '1';
    await shows(
      async () => (await rows(panel(page, 'Pages'))).filter(several),
      visitorsBy(ofToday, pagesOf).filter(several),
    );
    assert.equal(await panel(page, 'Pages').locator('.bar-row').count(), 8);
    const link = row(panel(page, 'Pages'), '/pricing').getByRole('link', { name: /in a new tab/ });
    assert.equal(await link.getAttribute('href'), 'https://shop.test/pricing');
  });

  if (isLongForm)
    await t.test(
      'the map shows the visitors of each country, and leads to its regions and cities',
      async () => {
        const map = panel(page, 'Locations');
        const germany = map.locator('[data-code=DE]');
        const germans = ofToday.filter(({ place }) => place.code === 'DE');
        await map.locator('[data-code=DE][data-step]').waitFor();
        const shaded = await map
          .locator('[data-step]')
          .evaluateAll((all) => all.map((country) => country.getAttribute('data-code')));
        assert.deepEqual(shaded.sort(), [...new Set(ofToday.map(({ place }) => place.code))].sort());
        await germany.hover();
        await shows(() => map.locator('.map-tip b').textContent(), `${germans.length} visitors`);
        assert.match((await map.locator('.map-tip').textContent()) ?? '', /Germany/);
        await germany.click();
        await showsVisitors(germans);
        assert.deepEqual(await chips(page), ['Country is Germany']);
        const [[region = ''] = []] = visitorsBy(germans, ({ place }) => place.region);
        await row(map, region).getByRole('button').click();
        const people = germans.filter(({ place }) => place.region === region);
        await showsVisitors(people);
        await shows(() => rows(map), visitorsBy(people, ({ place }) => place.city).slice(0, 3), 'its cities');
        await button(map, 'Germany').click();
        await showsVisitors(germans);
        await button(map, 'All countries').click();
        await showsVisitors(ofToday);
      },
    );

  if (isLongForm)
    await t.test('shows countries, regions, cities and languages', async () => {
      await open();
      await checkTabs('Locations', {
        Countries: ({ place }) => place.country,
        Regions: ({ place }) => place.region,
        Cities: ({ place }) => place.city,
        Languages: ({ language }) => languages[language],
      });
    });

  if (isLongForm)
    await t.test('shows browsers, systems, devices and screens', async () => {
      await checkTabs('Devices', {
        Browsers: ({ agent }) => agent.browser,
        Systems: ({ agent }) => agent.os,
        Types: ({ agent }) => agent.device,
        Screens: ({ screen }) => screen.join('×'),
      });
      await tab(panel(page, 'Devices'), 'Browsers').click();
      await button(panel(page, 'Devices'), 'All browsers').click();
      await button(dialog(page), 'Browser version').click();
      const versions = () => dialog(page).locator('tbody th button').allTextContents();
      await shows(
        async () => (await versions()).sort(),
        [...new Set(ofToday.map(({ agent }) => agent.version))].sort(),
      );
      await page.keyboard.press('Escape');
    });

  const pressRow = async () => {
    await open();
    await tab(panel(page, 'Sources'), 'Top sources').click();
    const chrome = row(panel(page, 'Devices'), 'Chrome').getByRole('button');
    await chrome.click();
    const withChrome = ofToday.filter(({ agent }) => agent.browser === 'Chrome');
    await showsVisitors(withChrome);
    assert.equal(search(page), '?period=today&f=browser:is:Chrome');
    await panel(page, 'Devices').locator('[aria-current]').filter({ hasText: 'Chrome' }).waitFor();
    const tell: Tell = ({ origin }) => origin.source;
    await shows(() => rows(panel(page, 'Sources')), visitorsBy(withChrome, tell), 'every panel is filtered');
    await button(panel(page, 'Devices'), 'All browsers').click();
    await showsVisitors(ofToday);
    assert.deepEqual(await chips(page), []);
  };
  // On a stand-in, this is always tested by `behaviour/analytics-view.ts`. The map above shows filtered
  // numbers.
  if (isLongForm) await t.test('pressing a row filters by it, and a crumb leads back', pressRow);

  await t.test('the table of all pages can be searched, sorted and paged through', async () => {
    const all = visitorsBy(ofToday, pagesOf);
    const foot = dialog(page).locator('.details-foot [role=status]');
    const cells = () =>
      dialog(page)
        .locator('tbody tr')
        .evaluateAll((found) => found.map((one) => [...one.children].map((cell) => cell.textContent ?? '')));
    /** The pages of the table. The name is followed by the link that opens it. */
    const names = async () => (await cells()).map(([name = '']) => name.replace(/Open .*/, ''));
    await open();
    await button(panel(page, 'Pages'), 'All pages').click();
    await shows(() => foot.textContent(), `1–50 of ${all.length}`);
    const first = await names();
    assert.deepEqual(first.slice(0, 3), ['/pricing', '/', '/docs']);
    const pricing = ofToday.filter((person) => pagesOf(person).includes('/pricing'));
    const [, ...numbers] = (await cells())[0]!;
    const share = `${Math.round((100 * pricing.length) / visitorsOf(ofToday))}%`;
    const count = String(pricing.length);
    const [shown, shareShown, , visits, seen, perVisit, bounces] = numbers;
    assert.deepEqual([shown, shareShown, visits, seen, bounces], [count, share, count, '17', '0%']);
    assert.equal(perVisit, (17 / pricing.length).toFixed(2));

    await button(dialog(page), 'Next').click();
    await shows(() => foot.textContent(), `51–${all.length} of ${all.length}`);
    await shows(
      async () => new Set([...first, ...(await names())]).size,
      all.length,
      'no row is on two pages',
    );

    await button(dialog(page), 'Page').click();
    await shows(async () => (await names())[0], '/');
    assert.equal(await dialog(page).locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending');
    await button(dialog(page), 'Page').click();
    await shows(async () => (await names())[0], '/pricing');
    await button(dialog(page), 'Bounce rate').click();
    await shows(async () => (await names())[0], '/');

    await page.getByPlaceholder('Search pages').fill('DOCS');
    await shows(async () => (await names()).sort(), ['/docs', '/docs/api']);
    await page.getByPlaceholder('Search pages').fill('nowhere');
    await dialog(page).getByText('No matching rows in this period').waitFor();
    await page.getByPlaceholder('Search pages').fill('articles/7');
    await shows(names, ['/articles/7']);
    await dialog(page).getByRole('button', { name: '/articles/7' }).click();
    await showsVisitors(ofToday.filter((person) => pagesOf(person).includes('/articles/7')));
    assert.deepEqual(await chips(page), ['Page is /articles/7']);
  });

  await t.test('saves all rows as a CSV file', async () => {
    await open();
    // The crumb that leads back to all pages disappears with the filter.
    await panel(page, 'Pages').locator('.crumbs-down').waitFor({ state: 'detached' });
    await button(panel(page, 'Pages'), 'All pages').click();
    await dialog(page).locator('tbody tr').first().waitFor();
    const download = page.waitForEvent('download');
    await button(dialog(page), 'Save as CSV').click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^shop\.test pages \d{4}-.*\.csv$/);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    assert.match(
      head!,
      /^page,visitors,visits,pageViews,viewsPerVisit,bounceRate,visitDuration,visitors before,/,
    );
    const found = lines.map((line) => line.split(',').slice(0, 4).join(','));
    const expected = visitorsBy(ofToday, pagesOf).map(([name, count]) => {
      const seen = ofToday.flatMap(views).filter(({ page: path }) => path === name).length;
      return [name, count, count, seen].join(',');
    });
    assert.deepEqual(found.sort(), expected.sort());
    await page.keyboard.press('Escape');
  });

  const callInGerman = async () => {
    const german = await stage.openPage({ isSignedIn: true, locale: 'de-DE' });
    await german.goto(`${trackside.origin()}/websites/${shop.id}?period=today&f=country:anyOf:DE|AT`);
    const locations = panel(german, 'Orte');
    await tab(locations, 'Länder').click();
    const rename = ({ place }: Person) => ({ DE: 'Deutschland', AT: 'Österreich' })[place.code];
    await shows(() => rows(locations), visitorsBy(ofToday, rename));
    assert.deepEqual(await chips(german), ['Land: Deutschland, Österreich']);
    await tab(locations, 'Sprachen').click();
    await row(locations, 'Deutsch').waitFor();
    await german.context().close();
  };
  // The names are tested beside the code. That they follow the browser shows in every date here.
  if (isLongForm) await t.test('names countries and languages in the reader’s language', callInGerman);
}
