import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { guest, type Stage } from './open-stage.ts';
import { panel, rows, shows } from './read-page.ts';
import { ofToday, recordsOf } from './traffic.ts';

/** The page that updates live. */
export async function testLive(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { blog } = stage;

  await t.test('updates when a record arrives, without asking again', async () => {
    const now = () => page.locator('.live-number').textContent();
    const latest = page.locator('.live-latest li');
    const asked: string[] = [];
    await page.goto(`${stage.trackside.origin()}/websites/${blog.id}/live`);
    let isSentAgain = false;
    const lookAgain = async () => {
      const shown = await now();
      // On a slow machine, the guest's visit may be longer ago than this number counts.
      if (shown === '0' && !isSentAgain) {
        isSentAgain = true;
        for (const sent of recordsOf(guest)) await stage.send(blog, sent);
      }
      return shown;
    };
    await shows(lookAgain, '1');
    const before = await latest.count();
    const watch = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
    page.on('request', watch);

    const parisian = ofToday.find(({ place }) => place.city === 'Paris')!;
    for (const sent of recordsOf({ ...parisian, steps: [{ page: '/%C3%BCber-uns' }] }))
      await stage.send(blog, sent);
    await shows(now, '2');
    await shows(() => latest.count(), before + 1);
    const first = (await latest.first().textContent()) ?? '';
    for (const part of ['/über-uns', 'France', 'Firefox', 'Desktop', 'from forum.test'])
      assert.ok(first.includes(part), `expected ${part} in ${first}`);
    assert.deepEqual(await rows(panel(page, 'Countries')), [
      ['France', '1'],
      ['Germany', '1'],
    ]);
    // The headline counts a different span than the lists, so each says which.
    await page.getByText('Active in the last 5 minutes').waitFor();
    await page.locator('.live-page > p').getByText('Last 30 minutes').waitFor();
    assert.match(await page.title(), /^2 now · blog\.test/);
    await shows(() => page.locator('.live-count b').textContent(), '2');

    const signUp = { page: '/news', event: 'Subscribe', parameters: {} };
    for (const sent of recordsOf({ ...parisian, steps: [signUp] })) await stage.send(blog, sent);
    await shows(() => latest.first().locator('.live-event').textContent(), 'Subscribe');
    assert.equal(await now(), '2', 'the same visitor');
    page.off('request', watch);
    assert.deepEqual(
      // The list of websites is asked for now and then, in case one is gone.
      asked.filter((path) => path.startsWith('/api/') && path !== '/api/websites'),
      [],
      'everything came over the line that was open',
    );
  });
}
