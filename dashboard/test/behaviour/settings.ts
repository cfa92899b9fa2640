import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { isLongForm, testLong } from '../../../server/test/support/long-form.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { ago, type StandInData } from '../stand-in/stand-in-data.ts';
import type { Open } from './create-opener.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const site = (data: StandInData) => data.websites[0]!;

/** The page takes it for a return only half a second after the last one. */
const comeBack = (page: Page, until: string) =>
  page.waitForFunction((text) => {
    window.dispatchEvent(new Event('focus'));
    return document.body.textContent?.includes(text);
  }, until);

/** The settings of a website, and what other people do in the meantime. */
export function testSettings(open: Open): void {
  test('what is changed in one page, step by step', async (t) => {
    const { page, data } = await open(t, '/websites/1/settings');
    const name = page.getByLabel('Name', { exact: true });
    const untilSaved = (wanted: string) =>
      waitFor(`the name ${wanted} to be saved`, async () => site(data).name === wanted);
    await t.test('saves a change beside another admin’s change of something else', async () => {
      await name.fill('My shop');
      Object.assign(site(data), { version: 7, timezone: 'Asia/Tokyo' });
      await button(page, 'Save changes').click();
      await page.getByText('Both changes were saved').waitFor();
      await page.getByText('Website saved.').waitFor();
      assert.deepEqual([site(data).name, site(data).timezone], ['My shop', 'Asia/Tokyo']);
      const timezone = page.getByRole('combobox', { name: 'Time zone' });
      await waitFor('their timezone', async () => (await timezone.inputValue()) === 'Asia/Tokyo');
    });
    await t.test('isolates the parts of a request, which visitors may write from right to left', async () => {
      const parts = page.locator('.request-text').first().locator('bdi');
      await parts.first().waitFor();
      assert.ok((await parts.count()) > 1);
    });
    await t.test('lists only the people who can see the website', async () => {
      const people = page.locator('#people li');
      await people.first().waitFor();
      assert.deepEqual(await people.allTextContents(), ['owner@example.comAdmin', 'guest@example.comViewer']);
    });
    await t.test('saves separately which addresses count as one page', async () => {
      await page.getByLabel('Ignore letter case').check();
      await button(page, 'Save page URLs').click();
      await page.getByText('Past days update').waitFor();
      const { ignoreTrailingSlash, ignoreCase, ignoreWww, name: saved } = site(data);
      assert.deepEqual([ignoreTrailingSlash, ignoreCase, ignoreWww, saved], [false, true, false, 'My shop']);
    });
    const changeBoth = async (mine: string, theirs: string) => {
      await name.fill(mine);
      Object.assign(site(data), { version: site(data).version + 5, name: theirs });
      await button(page, 'Save changes').click();
      await page.getByText('Another admin changed the same').waitFor();
      assert.equal(await name.inputValue(), mine);
      assert.equal(site(data).name, theirs);
    };
    await t.test('when both changed the same, the user’s own value can be saved', async () => {
      await changeBoth('Mine', 'Theirs');
      await button(page, 'Save mine').click();
      await untilSaved('Mine');
    });
    await t.test('when both changed the same, the other value can be kept', async () => {
      await changeBoth('Mine again', 'Theirs again');
      await button(page, 'Keep theirs').click();
      assert.equal(await name.inputValue(), 'Theirs again');
      assert.equal(site(data).name, 'Theirs again');
    });
    await t.test('keeps what is typed while an earlier change is being saved', async () => {
      const held = Promise.withResolvers<void>();
      const hold = async (route: Route) => {
        if (route.request().method() === 'PATCH') await held.promise;
        await route.continue();
      };
      await page.route('**/api/websites/1', hold);
      await name.fill('Sent');
      await button(page, 'Save changes').click();
      await page.locator('[aria-busy]', { hasText: 'Save changes' }).waitFor();
      await name.fill('Typed later');
      held.resolve();
      await page.locator('[aria-busy]', { hasText: 'Save changes' }).waitFor({ state: 'detached' });
      await page.unroute('**/api/websites/1', hold);
      assert.deepEqual([site(data).name, await name.inputValue()], ['Sent', 'Typed later']);
      await button(page, 'Save changes').click();
      await untilSaved('Typed later');
    });
    await t.test('saves allowed origins one by one, and removes them again', async () => {
      const field = page.getByLabel('Allowed origins');
      await field.fill('https://a.example,  http://localhost:3000 ');
      await button(page, 'Save origins').click();
      await page.getByText('Allowed origins saved.').waitFor();
      assert.deepEqual(site(data).readOrigins, ['https://a.example', 'http://localhost:3000']);
      assert.equal(await field.inputValue(), 'https://a.example http://localhost:3000');
      await field.fill('');
      await button(page, 'Save origins').click();
      await button(page, 'Save origins').waitFor({ state: 'detached' });
      assert.deepEqual(site(data).readOrigins, []);
    });
    await t.test(
      'previews exclusions before they are saved, and says what is wrong with a value',
      async () => {
        const value = page.getByLabel('Value', { exact: true });
        const addRule = async (kind: string, text: string) => {
          await page.getByLabel('Exclude by').selectOption(kind);
          await value.fill(text);
          await button(page, 'Add exclusion').click();
        };
        await addRule('network', '0.0.0.0/0');
        await page.getByText('Enter an IP address or a network of at least 8 bits').waitFor();
        await addRule('network', '203.0.113.9/24');
        await page.getByText('No preview: IP addresses').waitFor();
        await addRule('path', '/admin/*');
        await page.getByText('310 records in the last 24 hours').waitFor();
        await page.getByText('this would have excluded 310 of 12,400 records').waitFor();
        await addRule('path', '/admin/*');
        await page.getByText('already in the list').waitFor();
        assert.deepEqual(site(data).exclusions, [], 'nothing is saved by itself');
        await button(page, 'Save exclusions').click();
        await page.getByText('Exclusions saved.').waitFor();
        const admin = { kind: 'path', value: '/admin/*' };
        assert.deepEqual(site(data).exclusions, [{ kind: 'network', value: '203.0.113.0/24' }, admin]);
        await page.getByRole('button', { name: 'Remove IP address or network 203.0.113.0/24' }).click();
        await button(page, 'Save exclusions').click();
        await button(page, 'Save exclusions').waitFor({ state: 'detached' });
        assert.deepEqual(site(data).exclusions, [admin]);
      },
    );
    await t.test(
      'keeps unsaved changes when the user leaves and returns, until they are undone',
      async () => {
        await name.fill('Half a name');
        await page.getByRole('link', { name: 'How to send records' }).click();
        // The URL changes before the page does.
        await page.getByRole('heading', { name: 'Send records', level: 1 }).waitFor();
        await page.goBack();
        await page.getByText('It isn’t saved yet.').waitFor();
        assert.equal(await name.inputValue(), 'Half a name');
        await button(page, 'Undo').click();
        assert.equal(await name.inputValue(), 'Typed later');
        await page.reload();
        await page.getByLabel('Ignore letter case').waitFor();
        assert.equal(await name.inputValue(), 'Typed later');
      },
    );
    await t.test('says that a second new key within 24 hours ends the first of the three', async () => {
      site(data).key = { ...site(data).key, oldKeyUntil: ago(-3_600_000) };
      await comeBack(page, 'The previous key works until');
      await button(page, 'Regenerate…').click();
      await page.getByText('The previous key stops immediately').waitFor();
      await button(page, 'Cancel').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      site(data).key = { ...site(data).key, oldKeyUntil: null };
    });
    await t.test('no longer shows a key that was regenerated in another tab', async () => {
      await button(page, 'Reveal').click();
      await page.getByText(data.apiKey).waitFor();
      site(data).key = { ...site(data).key, masked: 'Zq1x••••••••7Pkd' };
      await comeBack(page, 'Zq1x•');
      assert.equal(await page.getByText(data.apiKey).count(), 0);
    });
    await t.test(
      'asks for the password when the session has expired, then saves what was typed',
      async () => {
        await name.fill('Saved later');
        data.session = undefined;
        await button(page, 'Save changes').click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Password', { exact: true }).fill('wrong');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.getByText('Incorrect email or password.').waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill('correct horse');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await untilSaved('Saved later');
        await dialog.waitFor({ state: 'detached' });
      },
    );
    if (isLongForm)
      await t.test('reports a lost connection, keeps what was typed, and recovers on its own', async () => {
        await name.fill('Not lost');
        await page.route('**/api/**', (route) => route.abort());
        await button(page, 'Save changes').click();
        await page.getByText('Connection lost').waitFor();
        assert.equal(await name.inputValue(), 'Not lost');
        const [banner, header] = await Promise.all(
          ['.connection p', '.header'].map((place) => page.locator(place).boundingBox()),
        );
        assert.ok(banner!.y > header!.y + header!.height, 'the header can be used meanwhile');
        await page.waitForFunction(() => {
          window.dispatchEvent(new Event('focus'));
          return document.querySelector('.live-dot-calm');
        });
        await page.unroute('**/api/**');
        await page.getByText('Connection lost').waitFor({ state: 'detached' });
        await button(page, 'Save changes').click();
        await untilSaved('Not lost');
      });
    await t.test('a dialog restores the focus, whether closed by Escape or by its button', async () => {
      await button(page, 'Regenerate…').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Regenerate…');
      // Repeatedly, because a browser closes it without asking after a few times.
      for (let times = 0; times < 3; times += 1) {
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Regenerate…');
    });

    await t.test('on a phone, the main button is above Cancel, which has the focus', async () => {
      const desktop = page.viewportSize()!;
      await page.setViewportSize({ width: 360, height: 740 });
      await button(page, 'Regenerate…').click();
      const buttons = page.getByRole('dialog').getByRole('button');
      await buttons.first().waitFor();
      assert.deepEqual(await buttons.allTextContents(), ['Regenerate key', 'Cancel']);
      const [main, cancel] = await Promise.all([buttons.first().boundingBox(), buttons.last().boundingBox()]);
      assert.ok(main!.y + main!.height <= cancel!.y, 'the keyboard has the order of the eye');
      assert.equal(await focused(page), 'Cancel', 'an Enter key held too long regenerates nothing');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.setViewportSize(desktop);
    });

    await t.test('a menu, a list of timezones and tabs work with the keyboard', async () => {
      await page.getByRole('combobox', { name: 'Time zone' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('new york');
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('combobox', { name: 'Time zone' }).inputValue(), 'America/New_York');
      await page.getByRole('tab', { name: 'All' }).focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.getByRole('tab', { name: 'Refused' }).getAttribute('aria-selected'), 'true');
      assert.equal(await page.locator('.request').count(), 1);
      await button(page, /owner@example\.com/).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/users');
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    });
  });

  testLong('shows newer settings on return, but does not replace what is being typed', async (t) => {
    const { page, data } = await open(t, '/websites/1/settings');
    await page.getByLabel('Name', { exact: true }).fill('Being typed');
    Object.assign(site(data), { version: 7, contingent: 777_000, name: 'Theirs' });
    site(data).usage.used = 181_000;
    await comeBack(page, '181,000');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Being typed');
    assert.equal(await page.locator('[name=contingent]').inputValue(), '777,000');
  });

  test('deletes a website only after its domain was typed, then returns to the list', async (t) => {
    const { page, data } = await open(t, '/websites/1/settings');
    const otherTab = await page.context().newPage();
    otherTab.setDefaultTimeout(300_000);
    t.after(() => otherTab.close());
    await otherTab.goto(new URL('/websites/1/integrate', page.url()).href);
    await button(page, 'Delete website…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('shop.example');
    const confirm = dialog.getByRole('button', { name: 'Delete website' });
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
    await confirm.click({ force: true });
    await dialog.getByRole('textbox').fill('shop.example.com');
    assert.equal(site(data).isDeleting, false);
    // Otherwise, the settings would be refreshed after a while anyway.
    await page.evaluate(() => {
      for (let timer = Number(setInterval(() => {}, 60_000)); timer > 0; timer -= 1) clearInterval(timer);
    });
    await confirm.click();
    await page.getByText('312,000 of 1,204,881 records deleted').waitFor();
    await page.locator('#website').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'This website is being deleted' }).waitFor();
    data.deletion = { state: 'failed', deletedRecords: 312_000, allRecords: 1_204_881 };
    await page.getByText('The server tries again every minute.').waitFor();
    data.deletion = { state: 'done', deletedRecords: 1_204_881, allRecords: 1_204_881 };
    data.websites = data.websites.slice(1);
    await page.waitForURL('**/websites');
    await page.getByText('Oak & Lamp shop was deleted.').waitFor();
    await otherTab.getByText('Website not found').waitFor();
    await otherTab.getByRole('main').getByRole('link', { name: 'All websites' }).click();
    await otherTab.waitForURL('**/websites');
  });
}
