import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { times } from '../../server/test/support/long-form.ts';
import { pageView, post } from '../../server/test/support/records.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import type { Server } from './open-server.ts';
import { admin } from './open-server.ts';

/** The way of a new user, starting with the printed link, which makes them the first admin. */
export async function testFlow(t: TestContext, { trackside, browser }: Server): Promise<void> {
  const faults: string[] = [];
  const opened = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await opened.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: trackside.origin() });
  const page = await opened.newPage();
  page.setDefaultTimeout(300_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // A refused sign-in is an expected answer, which Chromium reports as a network error.
    if (message.type() === 'error' && !/status of 40[01]/.test(message.text())) faults.push(message.text());
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const send = (key: string, changes: Record<string, unknown> = {}) =>
    post(trackside.origin(), '/api/page-view', key, pageView(changes));

  await t.test('leads from the printed link to the first record, and to a new key', async (part) => {
    const link = /http:\/\/\S+\/setup#[\w-]+/.exec(trackside.output())?.[0];
    assert.ok(link, 'expected a setup link in the output');
    let header = '';

    await part.test('the link asks for email and password, says what is wrong, and signs in', async () => {
      await page.goto(link);
      await page.getByLabel('Email').fill(admin.email);
      await page.getByLabel('Password', { exact: true }).fill('short');
      await button('Create account').click();
      await page.getByText('Choose a password that’s hard to guess').waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), admin.email, 'what was typed stays');
      await page.getByLabel('Password', { exact: true }).fill(admin.password);
      await button('Create account').click();
      await page.waitForURL('**/websites');
    });

    await part.test('adds a website', async () => {
      await page
        .getByRole('link', { name: /Add website/ })
        .first()
        .click();
      await page.getByLabel('Domain').fill('https://müller.example bakery');
      await button('Add website').click();
      await page.getByText('Enter a valid domain').waitFor();
      // A pasted address is understood.
      await page.getByLabel('Domain').fill('https://müller.example/shop?from=mail');
      await button('Add website').click();
      await page.getByText('Waiting for the first record').waitFor();
      await page
        .getByRole('heading', { name: /ller\.example/ })
        .first()
        .waitFor();
    });

    await part.test('copies the header from the settings', async () => {
      await page.getByRole('link', { name: 'Settings' }).click();
      const copy = (await button('Copy header').elementHandle())!;
      const { width } = (await copy.boundingBox())!;
      await copy.click();
      await button('Copied').waitFor();
      assert.equal((await copy.boundingBox())!.width, width, 'what is beside it stays where it is');
      await waitFor('the header to be in the clipboard', async () => {
        header = await clipboard();
        return header.startsWith('Authorization: ');
      });
      assert.match(header, /^Authorization: [\w-]{43}$/);
      assert.ok(
        !(await page.content()).includes(header.slice('Authorization: '.length)),
        'the key is still masked',
      );
    });

    const key = () => header.slice('Authorization: '.length);

    await part.test('shows a record that is sent with it, and what was understood', async () => {
      await page.goBack();
      await page.getByText('Waiting for the first record').waitFor();
      await waitFor('the key to work', async () => (await send(key())).status === 200);
      await page.getByText('Page view received').waitFor();
      const facts = (await page.locator('.facts').textContent()) ?? '';
      for (const fact of ['Chrome on Windows', 'Germany', 'Google', 'Person'])
        assert.ok(facts.includes(fact), facts);
    });

    await part.test('shows why a record was refused, without its values', async () => {
      await page.getByRole('link', { name: 'Settings' }).click();
      await send(key(), { Language: { Code: 'en-US' } });
      await page
        .getByText(/Metrics\.Language\.Code: expected/)
        .first()
        .waitFor();
    });

    await part.test('a regenerated key works at once, and the old one gets 401', async () => {
      const old = key();
      await button('Regenerate…').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Regenerate key' }).click();
      await page.getByText('This is your new key.').waitFor();
      await button('Copy key').click();
      let next = '';
      await waitFor('the new key to be in the clipboard', async () => {
        next = await clipboard();
        return /^[\w-]{43}$/.test(next) && next !== old;
      });
      await waitFor('the new key to work', async () => (await send(next)).status === 200);
      assert.equal((await send(old)).status, 401);
    });
    assert.deepEqual(faults, []);
  });

  await t.test(
    'after signing out, asks to sign in and leads to the requested page, never elsewhere',
    async () => {
      await button(/ada@example\.com/).click();
      await page.getByText('Sign out', { exact: true }).click();
      await page.getByLabel('Email').waitFor();
      await page.goto(`${trackside.origin()}/audit`);
      await page.getByLabel('Email').fill(admin.email);
      await page.getByLabel('Password', { exact: true }).fill('not the right one');
      await button('Sign in').click();
      await page.getByText('Incorrect email or password.').waitFor();
      await page.getByLabel('Password', { exact: true }).fill(admin.password);
      await button('Sign in').click();
      await page.waitForURL('**/audit');
      await page
        .getByText(/regenerated/i)
        .first()
        .waitFor();

      // Other ways to write one are tested beside `safe-next.ts`.
      const elsewhere = ['//evil.example/', 'https://evil.example/', '/\\evil.example'];
      for (const next of elsewhere.slice(0, times(1, 3))) {
        await page.goto(`${trackside.origin()}/sign-in?next=${encodeURIComponent(next)}`);
        await page.waitForURL('**/websites');
      }
    },
  );

  await t.test(
    'a session that was ended elsewhere leads to the sign-in form, and keeps what was typed',
    async () => {
      await page.goto(`${trackside.origin()}/websites/new`);
      await page.getByLabel('Domain').fill('kept.example');
      await page.evaluate(() => fetch('/api/sessions', { method: 'DELETE' }));
      await button('Add website').click();
      await page.getByLabel('Password', { exact: true }).waitFor();
      await page.getByLabel('Password', { exact: true }).fill(admin.password);
      await button('Sign in').click();
      await waitFor('the website to be added, or the form to be back', async () => {
        if (page.url().match(/websites\/\d+$/)) return true;
        return (
          (await page
            .getByLabel('Domain')
            .inputValue()
            .catch(() => '')) === 'kept.example'
        );
      });
    },
  );

  await t.test('a page of another origin reads the statistics once its origin is allowed', async (part) => {
    const elsewhere = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Intranet</title>');
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    part.after(() => {
      elsewhere.close();
      elsewhere.closeAllConnections();
    });
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    await trackside.addWebsite('read.test');
    const { stdout } = await trackside.runHere('token', 'add', 'read.test', '--json');
    const { token } = JSON.parse(stdout) as { token: string };
    const reader = await browser.newPage();
    reader.setDefaultTimeout(300_000);
    await reader.goto(origin);
    const ask = () =>
      reader.evaluate(
        async ([address, authorization]) => {
          const headers = { Authorization: authorization!, 'Content-Type': 'application/json' };
          const response = await fetch(address!, { method: 'POST', headers, body: '{}' });
          return (await response.json()).website as string;
        },
        [`${trackside.origin()}/api/stats/live`, `Bearer ${token}`],
      );
    await assert.rejects(ask(), /Failed to fetch/);
    await trackside.runHere('website', 'set-read-origins', 'read.test', origin);
    await waitFor('the origin to be known', () =>
      ask().then(
        (website) => website === 'read.test',
        () => false,
      ),
    );
    await reader.close();
  });
  await opened.close();
}
