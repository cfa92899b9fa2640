import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { visitorsBy, visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, panel, rows, shows, value } from './read-page.ts';
import { ofToday } from './traffic.ts';

/** The public link, and what is embedded in pages of others. */
export async function testShare(t: TestContext, stage: Stage): Promise<void> {
  const { admin, shop, blog, trackside } = stage;
  const { body } = await admin.ask('PUT', `${shop.path}/share`, { body: { isOn: true } });
  const link = `${trackside.origin()}${body.share.path}`;
  const visitor = await stage.openPage();
  const visitors = (page: Page) => value(page, 'Visitors');
  const showsVisitors = (page: Page) => shows(() => visitors(page), String(visitorsOf(ofToday)));
  const brightness = async (frame: Frame) => {
    const color = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
    return Math.max(...color.match(/\d+/g)!.map(Number)) > 127 ? 'light' : 'dark';
  };

  await t.test('the public page shows the numbers, read-only', async () => {
    const asked = new Set<string>();
    visitor.on('request', (request) => asked.add(`${request.method()} ${new URL(request.url()).pathname}`));
    await visitor.goto(`${link}?period=today&theme=dark`);
    await showsVisitors(visitor);
    await shows(
      () => rows(panel(visitor, 'Sources')),
      visitorsBy(ofToday, ({ origin }) => origin.source),
    );
    await panel(visitor, 'Bots').scrollIntoViewIfNeeded();
    await panel(visitor, 'Bots').getByText('GPTBot').waitFor();
    await panel(visitor, 'Retention').scrollIntoViewIfNeeded();
    await panel(visitor, 'Retention').getByRole('table').waitFor();
    for (const name of ['Add note', 'New funnel', 'Settings', /^Switch website/])
      assert.equal(await button(visitor, name).count(), 0, String(name));
    assert.equal(await panel(visitor, 'Funnels').count(), 0);
    assert.equal(await visitor.locator('header a').count(), 0, 'it leads nowhere');

    const path = body.share.path as string;
    const allowed = new Set(['POST /api/stats/batch', `GET /api${path}`, `GET /api${path}/live`]);
    const others = [...asked].filter((request) => request.includes(' /api/') && !allowed.has(request));
    assert.deepEqual(others, []);
    assert.deepEqual(await visitor.context().cookies(), []);
  });

  await t.test('the address sets the theme of the public page, also in the next view', async () => {
    assert.equal(await brightness(visitor.mainFrame()), 'dark');
    await visitor.keyboard.press('2');
    await visitor.waitForURL(/period=yesterday/);
    assert.match(visitor.url(), /theme=dark/);
    assert.equal(await brightness(visitor.mainFrame()), 'dark');
  });

  await t.test('the public page leads to nothing else', async () => {
    const token = (body.share.path as string).replace('/share/', '');
    const paths = ['/api/session', '/api/websites', shop.path, `${shop.path}/key`, `${shop.path}/notes`];
    const statuses = await visitor.evaluate(
      async ({ all, headers }) =>
        await Promise.all(all.map(async (path) => (await fetch(path, { headers })).status)),
      { all: [...paths, `${blog.path}/live`, '/api/audit'], headers: { 'Trackside-Share': token } },
    );
    assert.deepEqual([...new Set(statuses)], [401]);
    // The link determines whose numbers are shown, whatever else the request says.
    const came = await visitor.evaluate(
      async ({ headers }) =>
        await (await fetch('/api/stats/query', { method: 'POST', headers, body: '{}' })).json(),
      { headers: { 'Trackside-Share': token, 'Trackside-Website': String(blog.id) } },
    );
    assert.equal(came.website, 'shop.test');
    // `flow.ts` also tests that somebody without a session is asked to sign in.
    if (!isLongForm) return;
    await visitor.goto(`${trackside.origin()}/websites/${shop.id}`);
    await visitor.getByLabel('Email').waitFor();
  });

  await t.test('the embed can be framed by another origin, the public page cannot', async () => {
    const host = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<iframe src="${link}${request.url}?period=today&theme=dark" width="1000" height="800"></iframe>`,
      );
    }).listen(0);
    await once(host, 'listening');
    try {
      // A different origin than the server's, which is 127.0.0.1.
      const origin = `http://localhost:${(host.address() as AddressInfo).port}`;
      await visitor.goto(`${origin}/embed`);
      const inside = visitor.frameLocator('iframe').locator('.stat-value').first();
      await shows(() => inside.textContent(), String(visitorsOf(ofToday)));
      const embed = visitor.frames().find((frame) => frame.url().includes('/embed?'))!;
      assert.equal(await brightness(embed), 'dark', 'its theme is as the address says');
      assert.equal(await embed.locator('header').count(), 0, 'in a page of others it has no header');

      const refused = visitor.waitForEvent('console', (message) => /frame/i.test(message.text()));
      await visitor.goto(`${origin}/`);
      assert.match((await refused).text(), /frame-ancestors|X-Frame-Options/i);
      assert.equal(await visitor.frameLocator('iframe').locator('.stat').count(), 0);
    } finally {
      host.closeAllConnections();
      host.close();
    }
  });

  await t.test('a revoked link stops working, even where it is open', async () => {
    const dead = visitor.getByRole('heading', { name: 'This link is invalid or was revoked' });
    await visitor.emulateMedia({ colorScheme: 'dark' });
    await visitor.goto(`${link}?period=today&theme=light`);
    await showsVisitors(visitor);
    assert.equal(await brightness(visitor.mainFrame()), 'light', 'whatever the browser prefers');
    await admin.ask('PUT', `${shop.path}/share`, { body: { isOn: false } });
    // The page asks when somebody returns to it, which counts at most every half second.
    await visitor.waitForFunction(() => {
      window.dispatchEvent(new Event('focus'));
      return document.querySelector('h1')?.textContent?.startsWith('This link');
    });
    await visitor.goto(`${link}/embed`);
    await dead.waitFor();
  });
  await visitor.context().close();
}
