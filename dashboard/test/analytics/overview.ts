import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Page } from 'playwright-core';
import { sum, totalsOf, views, visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, card, dialog, field, search, shows, turnTo, value } from './read-page.ts';
import { ofToday, ofYesterday, people } from './traffic.ts';

/** The cards and the chart. */
export async function testOverview(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { days, shop, trackside } = stage;
  const address = `/websites/${shop.id}`;
  const open = (view: string) => turnTo(page, `${address}${view}`);
  const chart = page.locator('.chart');
  const tip = page.locator('.chart-tip');
  /** The numbers of the chart, as a screen reader gets them. */
  const told = () =>
    chart
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      );

  /**
   * Where a day of the last seven is on the chart: the first at the left end of its lines, the last at the
   * right.
   */
  async function placeOf(index: number): Promise<{ x: number; y: number }> {
    const box = (await page.locator('.chart-over').boundingBox())!;
    const [left, right] = [52, 24];
    return { x: box.x + left + ((box.width - left - right) * index) / 6, y: box.y + box.height / 2 };
  }
  async function pointAt(index: number): Promise<void> {
    const { x, y } = await placeOf(index);
    await page.mouse.move(x, y);
  }

  await t.test('the cards show the numbers, and how they have changed since the day before', async () => {
    const [now, before] = [totalsOf(ofToday), totalsOf(ofYesterday)];
    const percent = (metric: 'visitors' | 'visits' | 'pageViews' | 'viewsPerVisit') =>
      `+${Math.round((now[metric] / before[metric] - 1) * 100)}%`;
    const points = Math.round((now.bounceRate - before.bounceRate) * 100);
    assert.ok(points < 0, 'fewer bounce today');
    await page.goto(`${trackside.origin()}${address}?period=today`);
    await card(page, 'Visitors').locator('[data-tone]').waitFor();
    const read = async (label: string) => {
      const change = card(page, label).locator('[data-tone]');
      const [text] = await change.evaluate((element) =>
        [...element.childNodes].map((node) => node.textContent),
      );
      return [await value(page, label), text, await change.getAttribute('data-tone')];
    };
    assert.deepEqual(await read('Visitors'), [String(now.visitors), percent('visitors'), 'good']);
    assert.deepEqual(await read('Visits'), [String(now.visits), percent('visits'), 'good']);
    assert.deepEqual(await read('Page views'), [String(now.pageViews), percent('pageViews'), 'good']);
    assert.deepEqual(await read('Views per visit'), [
      now.viewsPerVisit.toFixed(2),
      percent('viewsPerVisit'),
      'good',
    ]);
    // A lower bounce rate is better.
    assert.deepEqual(await read('Bounce rate'), [
      `${Math.round(now.bounceRate * 100)}%`,
      `−${-points} pts`,
      'good',
    ]);
    assert.match((await value(page, 'Visit duration'))!, /^\d+s$|^\d+m( \d+s)?$/);

    await page.keyboard.press('2');
    await shows(() => value(page, 'Visitors'), String(before.visitors));
    const unchanged = card(page, 'Visitors').locator('.stat-change');
    await shows(async () => /data begins on/.test((await unchanged.textContent()) ?? ''), true);
  });

  await t.test('pressing a card shows its chart, and Back does not go through cards', async () => {
    await open('?period=yesterday');
    await shows(() => value(page, 'Visitors'), String(ofYesterday.length));
    await page.keyboard.press('3');
    await page.getByText('Visitors by day').waitFor({ state: 'attached' });
    await card(page, 'Page views').click();
    await page.getByText('Page views by day').waitFor({ state: 'attached' });
    assert.equal(await card(page, 'Page views').getAttribute('aria-pressed'), 'true');
    assert.equal(await card(page, 'Visitors').getAttribute('aria-pressed'), 'false');
    assert.equal(search(page), '?period=7d&metric=pageViews');
    const counts = [ofYesterday, ofToday].map((of) => String(totalsOf(of).pageViews));
    assert.deepEqual(
      (await told()).map(([now]) => now),
      ['0', '0', '0', '0', '0', ...counts],
    );
    await page.goBack();
    await shows(() => value(page, 'Visitors'), String(ofYesterday.length));
    assert.equal(search(page), '?period=yesterday');
  });

  await t.test('the chart is also a table and a slider, for people who cannot see it', async () => {
    await open('?period=today&metric=pageViews');
    await page.getByText('Page views by hour').waitFor({ state: 'attached' });
    const hours = await told();
    assert.equal(hours.length, 24);
    const count = (column: number) => sum(hours.map((cells) => Number(cells[column]) || 0));
    assert.equal(count(0), sum(ofToday.map((person) => views(person).length)));
    assert.equal(count(1), sum(ofYesterday.map((person) => views(person).length)));
    assert.equal(hours.at(-1)?.[0], 'Not yet available');
    assert.deepEqual(await chart.locator('th[scope=col]').allTextContents(), [
      'Time',
      'Page views',
      'Compared',
    ]);

    const slider = page.getByRole('slider', { name: 'Page views by hour' });
    await slider.focus();
    await page.keyboard.press('Home');
    await shows(
      async () => /00:00 – 00:59: 0 page views/.test((await slider.getAttribute('aria-valuetext'))!),
      true,
    );
    assert.equal(search(page), '?period=today&metric=pageViews', 'its arrows do not go to another period');
  });

  await t.test('pointing at the chart shows the day, its value, and the compared one', async () => {
    await open('?period=7d');
    await page.getByText('Visitors by day').waitFor({ state: 'attached' });
    await chart.locator('canvas').waitFor();
    await pointAt(5);
    const spelt = new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    });
    await shows(() => tip.locator('.chart-tip-value').textContent(), `${ofYesterday.length} visitors`);
    await shows(
      () => tip.locator('.chart-tip-faint').allTextContents(),
      [days.yesterday, addDays(days.yesterday, -7)].map((day, at) => {
        const time = spelt.format(new Date(day));
        return at === 0 ? time : `${time}: 0 visitors`;
      }),
    );
    await pointAt(6);
    await shows(
      () => tip.locator('.chart-tip-value').textContent(),
      `${visitorsOf(ofToday)} visitors so far`,
    );
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'detached' });
  });

  await t.test('dragging over the chart zooms into the range, and a button zooms out', async () => {
    await shows(() => value(page, 'Visitors'), String(visitorsOf(people)));
    await chart.locator('canvas').waitFor();
    await pointAt(3);
    await page.mouse.down();
    await pointAt(4);
    await pointAt(5);
    await tip.getByText('Release to zoom in').waitFor();
    await page.mouse.up();
    await shows(() => value(page, 'Visitors'), String(ofYesterday.length));
    assert.equal(search(page), `?period=${addDays(days.yesterday, -2)}..${days.yesterday}`);
    await button(page, 'Zoom out').click();
    await shows(() => value(page, 'Visitors'), String(visitorsOf(people)));
    assert.equal(search(page), '?period=7d');
    await page.goBack();
    await shows(() => value(page, 'Visitors'), String(ofYesterday.length));
  });

  await t.test('adds a note to a day, keeps it for later visitors, edits it and removes it', async () => {
    const flag = page.locator('.chart-flag');
    await open('?period=7d');
    // Otherwise, the day before would be filled in: it is the last one of the range that was shown.
    await shows(() => value(page, 'Visitors'), String(visitorsOf(people)));
    await button(page, 'Add note').click();
    await button(dialog(page), 'Add note').click();
    await dialog(page).getByText('Enter what happened.').waitFor();
    assert.equal(await field(page, 'Date').inputValue(), days.today);
    await field(page, 'Date').fill(days.yesterday);
    await field(page, 'What happened?').fill('The <b>letter</b> was sent');
    await button(dialog(page), 'Add note').click();
    await flag.waitFor();

    const { body: kept } = await stage.admin.ask('GET', `${shop.path}/notes`);
    assert.deepEqual(
      kept.notes.map(({ day, text }: { day: string; text: string }) => [day, text]),
      [[days.yesterday, 'The <b>letter</b> was sent']],
    );
    assert.match((await flag.getAttribute('aria-label'))!, /: The <b>letter<\/b> was sent$/);
    await pointAt(5);
    await shows(() => tip.locator('.chart-tip-note').textContent(), 'The <b>letter</b> was sent');
    await page.keyboard.press('1');
    await flag.waitFor({ state: 'detached' });
    await page.keyboard.press('2');
    await flag.click();
    await button(dialog(page), 'Edit note').click();
    await page.getByLabel('What happened?').fill('The newsletter was sent');
    await button(dialog(page), 'Save note').click();
    await page.getByRole('button', { name: /: The newsletter was sent$/ }).waitFor();
    await flag.click();
    await button(dialog(page), 'Delete note').click();
    await button(dialog(page), 'Confirm deletion').click();
    await flag.waitFor({ state: 'detached' });
    const { body } = await stage.admin.ask('GET', `${shop.path}/notes`);
    assert.deepEqual(body, { notes: [] });
  });
}
