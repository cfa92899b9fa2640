import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { events, pagesOf, timesOf, visitorsBy, visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, chips, dialog, panel, row, rows, search, shows, tab, turnTo, value } from './read-page.ts';
import { bots, ofToday, type Person, people } from './traffic.ts';

/** Events, bots, funnels, retention and paths. */
export async function testReports(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { shop, blog } = stage;
  const open = (view = '?period=today') => turnTo(page, `/websites/${shop.id}${view}`);
  const showsVisitors = (of: readonly Person[]) =>
    shows(() => value(page, 'Visitors'), String(visitorsOf(of)));

  await t.test('shows events, the parameters of one, and the values of a parameter', async () => {
    const all = ofToday.flatMap(events);
    const signUps = all.filter(({ event }) => event === 'Signup');
    const column = (index: number) => panel(page, 'Events').locator('.bar-list').nth(index);
    await open();
    await shows(() => rows(column(0)), timesOf(all.map(({ event }) => event!)));
    await shows(
      () => rows(column(1)),
      timesOf(signUps.flatMap(({ parameters }) => Object.keys(parameters!))),
    );
    await row(column(1), 'plan').getByRole('button').first().click();
    await shows(() => rows(column(2)), timesOf(signUps.map(({ parameters }) => parameters!.plan!)));
    await row(column(1), 'method').getByRole('button').first().click();
    await shows(() => rows(column(2)), timesOf(signUps.map(({ parameters }) => parameters!.method!)));
    await row(column(0), 'Purchase').getByRole('button').first().click();
    await shows(() => rows(column(1)), [['plan', '1']]);

    await row(column(0), 'Signup').getByRole('button').first().click();
    await row(column(1), 'plan').getByRole('button').first().click();
    await row(column(2), 'free').getByRole('button').click();
    const free = ofToday.filter((person) =>
      events(person).some(({ parameters }) => parameters?.plan === 'free'),
    );
    await showsVisitors(free);
    assert.deepEqual(await chips(page), ['Event is Signup', 'plan is free']);

    await open();
    await tab(panel(page, 'Events'), 'Conversions').click();
    const share = (name: string) => {
      const some = ofToday.filter((person) => events(person).some(({ event }) => event === name));
      return `${((100 * some.length) / ofToday.length).toFixed(1)}%`;
    };
    const shares = () => panel(page, 'Events').locator('.bar-value').allTextContents();
    await shows(shares, [share('Signup'), share('Purchase')]);
  });

  await t.test('shows bots and AI crawlers, and what they read', async () => {
    const list = panel(page, 'Bots');
    await list.scrollIntoViewIfNeeded();
    await shows(() => rows(list), timesOf(bots.map(({ name }) => name)));
    await tab(list, 'AI crawlers').click();
    await shows(() => rows(list), [['GPTBot', '3']]);
    await row(list, 'GPTBot').getByRole('button').click();
    const read = bots.filter(({ name }) => name === 'GPTBot').map(({ page: path }) => path);
    await shows(() => rows(dialog(page)), timesOf(read));
    await page.keyboard.press('Escape');
    await showsVisitors(ofToday);
  });

  await t.test('creates a funnel, shows its numbers, edits it, and removes it', async () => {
    const funnels = panel(page, 'Funnels');
    await open();
    await funnels.scrollIntoViewIfNeeded();
    await button(funnels, 'New funnel').click();
    await page.getByLabel('Name', { exact: true }).fill('Sign-up');
    await page.getByLabel('Step 1, kind').selectOption('Event');
    await page.getByLabel('Step 1, name of the event').fill('Signup');
    await page.getByLabel('Step 2, path of the page').fill('/pri*');
    await button(dialog(page), 'Move step 2 up').click();
    await button(dialog(page), 'Create funnel').click();

    const came = ofToday.filter((person) => pagesOf(person).includes('/pricing'));
    const signedUp = came.filter((person) => events(person).some(({ event }) => event === 'Signup'));
    const counts = [came, signedUp].map((of) => String(of.length));
    await shows(() => funnels.locator('.bar-value').allTextContents(), counts);
    const share = `${Math.round((100 * signedUp.length) / came.length)}%`;
    assert.equal(
      await funnels.locator('.funnel-sum').textContent(),
      `${share} completed the funnel in one visit`,
    );
    assert.equal(
      await funnels.locator('.funnel-loss').textContent(),
      `${came.length - signedUp.length} dropped off (${Math.round(100 * (1 - signedUp.length / came.length))}%)`,
    );

    const kept = await stage.admin.ask('GET', `${shop.path}/funnels`);
    assert.deepEqual(
      kept.body.funnels.map(({ name }: { name: string }) => name),
      ['Sign-up'],
      'whoever comes later has it too',
    );
    await button(funnels, 'Edit funnel').click();
    assert.equal(await page.getByLabel('Step 1, path of the page').inputValue(), '/pri*');
    await page.getByLabel('Name', { exact: true }).fill('From the prices to an account, within one visit');
    await page.getByLabel('Step 1, path of the page').fill('/docs');
    await button(dialog(page), 'Save funnel').click();
    const readers = ofToday.filter((person) => pagesOf(person).includes('/docs'));
    await shows(() => funnels.locator('.bar-value').first().textContent(), String(readers.length));
    await button(funnels, /^Switch funnel, now From the prices/).waitFor();
    await button(funnels, 'Delete funnel…').click();
    await button(dialog(page), 'Delete funnel').click();
    await funnels.getByText('A funnel shows how many').waitFor();
  });

  await t.test('adds a goal, counts it, shows its conversions in the lists, and removes it', async () => {
    const goals = panel(page, 'Goals');
    await open();
    await goals.scrollIntoViewIfNeeded();
    await button(goals, 'Add goal').click();
    await dialog(page).getByLabel('Path').fill('/pri*');
    await button(dialog(page), 'Add goal').click();
    const seen = ofToday.filter((person) => pagesOf(person).some((path) => path.startsWith('/pri')));
    const rate = `${((100 * seen.length) / ofToday.length).toFixed(1)}%`;
    await shows(() => rows(goals), [['/pri*', String(seen.length)]]);
    assert.equal(await goals.locator('.bar-note').textContent(), rate);

    await button(goals, 'Add goal').click();
    await dialog(page).getByLabel('Trigger an event').check();
    await dialog(page).getByLabel('Event name').fill('Signup');
    await dialog(page).getByLabel('Name (optional)').fill('Sign-up');
    await button(dialog(page), 'Add goal').click();
    const converted = ofToday.filter((person) => events(person).some(({ event }) => event === 'Signup'));
    await shows(async () => (await rows(goals))[1], ['Sign-up', String(converted.length)]);
    await row(goals, 'Sign-up').getByRole('button').click();
    await shows(() => chips(page), ['Goal: Sign-up']);
    assert.equal(search(page), '?period=today&metric=conversions&goal=event:Signup');
    await shows(() => value(page, 'Conversions'), String(converted.length));
    const bySource = visitorsBy(converted, ({ origin }) => origin.source);
    await shows(async () => (await rows(panel(page, 'Sources'))).slice(0, bySource.length), bySource);
    await button(page, 'Clear the goal Sign-up').click();
    await shows(
      () => rows(panel(page, 'Sources')),
      visitorsBy(ofToday, ({ origin }) => origin.source),
    );

    await button(goals, 'Manage goals…').click();
    await button(dialog(page), 'Edit Sign-up').click();
    assert.equal(await dialog(page).getByLabel('Event name').inputValue(), 'Signup');
    await dialog(page).getByLabel('Name (optional)').fill('Registered');
    await button(dialog(page), 'Save goal').click();
    await shows(async () => (await rows(goals))[1], ['Registered', String(converted.length)]);

    await button(goals, 'Manage goals…').click();
    for (const name of ['/pri*', 'Registered']) {
      await button(dialog(page), `Remove ${name}`).click();
      await button(dialog(page), 'Really remove?').click();
      await button(dialog(page), 'Really remove?').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Escape');
    await goals.getByText('A goal is a page or an event').waitFor();
  });

  await t.test('saves filters as a segment, which can be chosen again and named by a link', async () => {
    const segments = page.locator('.segment-button');
    await open('?period=today&f=country:is:DE');
    const germans = ofToday.filter(({ place }) => place.code === 'DE');
    await segments.click();
    await page.getByRole('menuitem', { name: 'Save as segment…' }).click();
    await button(dialog(page), 'Save segment').click();
    await page.getByText('Enter a name.').waitFor();
    await dialog(page).getByLabel('Name', { exact: true }).fill('At home');
    await button(dialog(page), 'Save segment').click();
    await shows(() => segments.locator('.cut').textContent(), 'At home');
    await segments.click();
    await page.getByRole('menuitemradio', { name: 'All visitors' }).click();
    await showsVisitors(ofToday);
    await segments.click();
    await page.getByRole('menuitemradio', { name: 'At home' }).click();
    await showsVisitors(germans);
    assert.equal(search(page), '?period=today&f=country:is:DE', 'the link has the filters themselves');

    const saved = await stage.admin.ask('GET', `${shop.path}/segments`);
    await open(`?period=today&segment=${saved.body.segments[0].id}`);
    await shows(
      async () => search(page),
      '?period=today&f=country:is:DE',
      'the filters take the place of the id',
    );
    await showsVisitors(germans);

    const update = button(dialog(page), 'Update filters of At home');
    await open('?period=today&f=country:is:AT');
    await segments.click();
    await page.getByRole('menuitem', { name: 'Manage segments…' }).click();
    await update.click();
    await update.waitFor({ state: 'detached' });
    const changed = await stage.admin.ask('GET', `${shop.path}/segments`);
    assert.deepEqual(changed.body.segments[0].filters, [{ dimension: 'country', is: 'AT' }]);
    await button(dialog(page), 'Rename At home').click();
    await dialog(page).getByLabel('New name for “At home”').fill('Germany');
    await button(dialog(page), 'Save name').click();
    await button(dialog(page), 'Delete Germany').click();
    await button(dialog(page), 'Really delete?').click();
    await dialog(page).getByText('No segments yet.').waitFor();
    await page.keyboard.press('Escape');
    const kept = await stage.admin.ask('GET', `${shop.path}/segments`);
    assert.deepEqual(kept.body.segments, []);
  });

  await t.test('shows the pages that people saw before and after a page', async () => {
    await open('?period=today&f=page:is:/pricing');
    const paths = panel(page, 'Previous and next pages');
    await paths.scrollIntoViewIfNeeded();
    const came = ofToday.filter((person) => pagesOf(person).includes('/pricing'));
    const before = came.flatMap((person) => pagesOf(person).slice(0, pagesOf(person).indexOf('/pricing')));
    await shows(() => rows(paths), timesOf(before));
    await shows(() => paths.locator('.paths-visits').textContent(), String(came.length));
    await paths.getByText('No visits continued to another page').waitFor();
  });

  await t.test(
    'shows retention for visitors with ClientIds, and explains it where there are none',
    async () => {
      const retention = panel(page, 'Retention');
      await open();
      await retention.scrollIntoViewIfNeeded();
      const fresh = () => retention.locator('tbody tr td:nth-child(2)').allTextContents();
      const isNewWeek = new Date(stage.days.today).getUTCDay() === 1;
      const members = new Set(people.map(({ clientId }) => clientId).filter((id) => id !== undefined));
      await shows(
        async () => (await fresh()).filter((count) => count !== '0'),
        isNewWeek ? ['1', '1'] : [String(members.size)],
      );
      if (isNewWeek)
        await shows(
          () => retention.locator('td[title="1 of 1 so far; this week isn’t over yet"]').count(),
          1,
        );

      await turnTo(page, `/websites/${blog.id}`);
      await button(page, /^Switch website, currently blog\.test/).waitFor();
      // The panels of the other website load one after the other, when they are near.
      await shows(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return await panel(page, 'Retention').getByText('Send a ClientId to recognize visitors').count();
      }, 1);
    },
  );
}
