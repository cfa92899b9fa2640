import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { visitorsBy, visitorsOf } from './count-people.ts';
import { holdAnswers } from './hold-answers.ts';
import type { Stage } from './open-stage.ts';
import { button, chips, panel, period, rows, search, shows, turnTo, value } from './read-page.ts';
import { recordViews } from './record-views.ts';
import { ofToday, ofYesterday, type Person, recordsOf } from './traffic.ts';

const loading = (page: Page) => page.getByText('Loading statistics');

/**
 * A website that has no numbers yet. This changes the clock of the window, which can't be used afterwards.
 */
export async function testFirstRecord(t: TestContext, stage: Stage, page: Page): Promise<void> {
  await t.test(
    'a website without records shows how to send some, and opens its statistics on its own',
    async () => {
      const fresh = await stage.addSite('new.test', 'Europe/Berlin');
      // The page's clock runs as usual, and can be moved forward.
      await page.clock.install();
      await page.goto(`${stage.trackside.origin()}/websites/${fresh.id}`);
      await page.getByText('Send records from your backend').waitFor();
      assert.equal(await page.locator('.stat').count(), 0);
      // The server sends it to itself. It is shown, but this headless browser counts as a bot.
      await button(page, 'Send a test page view').click();
      await page.getByText('Page view received').first().waitFor();
      assert.match(
        (await page.locator('.facts').first().textContent()) ?? '',
        /\/trackside-test.*HeadlessChrome/,
      );
      for (const sent of recordsOf(ofToday[0]!)) await stage.send(fresh, sent);
      await page.getByText('Your first record is here.').waitFor();
      await page.clock.fastForward(12_000);
      await shows(() => value(page, 'Visitors'), '1');
    },
  );
}

/** While numbers are loading, and while they are unavailable. */
export async function testStates(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { shop, trackside } = stage;
  const address = `${trackside.origin()}/websites/${shop.id}`;
  const showsVisitors = (of: readonly Person[]) =>
    shows(() => value(page, 'Visitors'), String(visitorsOf(of)));
  const germans = ofToday.filter(({ place }) => place.code === 'DE');

  await t.test('a slow panel does not hold up the others', async () => {
    const letGo = await holdAnswers(page, 'source');
    await page.goto(`${address}?period=today&f=country:is:DE`);
    await showsVisitors(germans);
    await shows(
      () => rows(panel(page, 'Devices')),
      visitorsBy(germans, ({ agent }) => agent.browser),
    );
    assert.equal(await panel(page, 'Sources').locator('.bar-row').count(), 0);
    assert.equal(await panel(page, 'Sources').locator('.bar-list').getAttribute('aria-busy'), 'true');
    await letGo();
    await shows(
      () => rows(panel(page, 'Sources')),
      visitorsBy(germans, ({ origin }) => origin.source),
    );
  });

  await t.test(
    'the controls change at once, and the old numbers stay, dimmed, until the new ones arrive',
    async () => {
      // The page is as the previous test has left it.
      await showsVisitors(germans);
      const letThrough = Promise.withResolvers<void>();
      await page.route('**/api/stats/batch', async (route) => {
        await letThrough.promise;
        await route.continue().catch(() => {});
      });
      await page.keyboard.press('x');
      await loading(page).waitFor({ state: 'attached' });
      assert.equal(search(page), '?period=today');
      assert.deepEqual(await chips(page), []);
      assert.equal(await page.locator('.overview').getAttribute('aria-busy'), 'true');
      assert.equal(await value(page, 'Visitors'), String(visitorsOf(germans)));
      assert.deepEqual(
        await rows(panel(page, 'Sources')),
        visitorsBy(germans, ({ origin }) => origin.source),
      );
      await page.keyboard.press('2');
      await period(page).filter({ hasText: 'Yesterday' }).waitFor();
      assert.equal(await value(page, 'Visitors'), String(visitorsOf(germans)));
      await page.getByText('Still loading…').waitFor();
      await page.keyboard.press('1');
      letThrough.resolve();
      await showsVisitors(ofToday);
      await page.getByText('Still loading…').waitFor({ state: 'detached' });
      await loading(page).waitFor({ state: 'detached' });
      await page.unroute('**/api/stats/batch');
    },
  );

  await t.test('aborts what nobody waits for anymore', async () => {
    const isOfAllTime = (request: Request) => request.postData()?.includes('"period":"all"') ?? false;
    await page.route('**/api/stats/batch', (route) =>
      isOfAllTime(route.request()) ? undefined : route.continue(),
    );
    const asked = page.waitForRequest(isOfAllTime);
    await page.keyboard.press('9');
    const request = await asked;
    await page.keyboard.press('2');
    await shows(async () => request.failure()?.errorText, 'net::ERR_ABORTED');
    await page.unroute('**/api/stats/batch');
    await showsVisitors(ofYesterday);
  });

  const turnOften = async () => {
    await turnTo(page, `${address}?period=today`);
    await showsVisitors(ofToday);
    const views = await recordViews(page);
    const press = async (source: string) =>
      await panel(page, 'Sources').getByTitle(source, { exact: true }).click();
    const fromGoogle = (of: readonly Person[]) => of.filter(({ origin }) => origin.source === 'Google');
    await page.keyboard.press('2');
    await page.keyboard.press('1');
    await press('Google');
    await page.keyboard.press('2');
    await showsVisitors(fromGoogle(ofYesterday));
    await page.keyboard.press('x');
    await showsVisitors(ofYesterday);
    await page.goBack();
    await page.goBack();
    await showsVisitors(fromGoogle(ofToday));

    const expected = new Map(
      [
        { label: 'Today', of: ofToday },
        { label: 'Yesterday', of: ofYesterday },
      ].flatMap(({ label, of }) => [
        [label, of] as const,
        [`${label}, Source is Google`, fromGoogle(of)] as const,
      ]),
    );
    const seen = await views();
    assert.ok(new Set(seen.map(({ about }) => about)).size >= 3, 'several views were seen');
    for (const { about, visitors, countries } of seen) {
      const of = expected.get(about);
      assert.ok(of !== undefined, `expected one of the views, got ${about}`);
      // A missing number can't be that of another view.
      if (visitors !== '') assert.equal(visitors, String(visitorsOf(of)), about);
      const first = visitorsBy(of, ({ place }) => place.country).slice(0, 4);
      if (countries !== '') assert.equal(countries, first.map((row) => row.join(' ')).join(', '), about);
    }
  };
  // When the page changes its view is tested beside `create-view-transition.ts`.
  if (isLongForm) await t.test('dims the numbers of another view', turnOften);

  if (isLongForm)
    await t.test('reports that the engine was killed, and shows new numbers on its own', async () => {
      const banner = page.getByText('Statistics are restarting');
      await turnTo(page, `${address}?period=today`);
      await showsVisitors(ofToday);
      for (const pid of trackside.enginePids()) process.kill(pid, 'SIGKILL');
      // Nobody has asked for these before, so the page has no answers to them.
      await turnTo(page, `${address}?period=yesterday&f=country:is:DE`);
      await banner.waitFor();
      await showsVisitors(ofYesterday.filter(({ place }) => place.code === 'DE'));
      await banner.waitFor({ state: 'detached' });
      assert.match((await page.locator('.period-text').textContent()) ?? '', /as of \d\d:\d\d/);
      await button(page, /^Switch website/).waitFor();
    });
}
