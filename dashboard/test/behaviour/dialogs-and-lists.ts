import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { testLong } from '../../../server/test/support/long-form.ts';
import { manyWebsites } from '../matrix/matrix-data.ts';
import type { Open } from './create-opener.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

export function testDialogsAndLists(open: Open): void {
  test('a new token has its main button last, and the focus on it', async (t) => {
    const { page } = await open(t, '/websites/1/settings');
    await page.locator('.token-new [name=name]').fill('Office');
    await button(page, 'Create token').click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.deepEqual(await dialog.getByRole('button').allInnerTexts(), ['Done', 'Copy token']);
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /Copy token/);
  });

  test('on a phone, the buttons of a long dialog are in sight before anybody scrolls', async (t) => {
    const small = (page: Page) => page.setViewportSize({ width: 360, height: 640 });
    const { page } = await open(t, '/users', undefined, small);
    await button(page, 'Add user').click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.ok(await dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
    for (const name of ['Add user', 'Cancel']) {
      const box = await dialog.getByRole('button', { name }).boundingBox();
      assert.ok(box !== null && box.y + box.height <= 640, `${name} ends at ${box && box.y + box.height}`);
    }
  });

  testLong('a refused funnel marks only the step that the message is about', async (t) => {
    const { page } = await open(t, '/websites/1');
    await page.locator('.panel-aside [title="New funnel"]').click();
    await page.getByLabel('Name', { exact: true }).fill('Sign-up');
    await button(page, 'Create funnel').click();
    await page.getByText('Step 1: enter a path').waitFor();
    const marked = page.locator('dialog [aria-invalid=true]');
    assert.equal(await marked.count(), 1);
    assert.equal(await marked.getAttribute('aria-label'), 'Step 1, path of the page');
  });

  test('the compact list has the quotas, and a name that is the domain only once', async (t) => {
    const data = manyWebsites(13);
    const [first, second] = data.websites;
    Object.assign(first!, { name: first!.shownDomain });
    const { page } = await open(t, '/websites', data);
    const row = (name: string) =>
      page.locator('.website-row', { has: page.getByRole('link', { name, exact: true }) });
    await row(second!.name).waitFor();
    const limited = data.websites.filter(({ usage }) => usage.limit !== null);
    assert.ok(limited.length > 0);
    assert.equal(await page.getByRole('meter', { name: 'Monthly quota used' }).count(), limited.length);
    assert.equal(await row(first!.name).getByText(first!.shownDomain, { exact: true }).count(), 1);
    assert.equal(await row(second!.name).getByText(second!.shownDomain, { exact: true }).count(), 1);
  });
}
