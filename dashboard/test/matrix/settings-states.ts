import { admin, viewer } from './matrix-data.ts';
import type { Hand, MatrixOverlay, MatrixState } from './matrix-state.ts';

const settings = '/websites/1/settings';

/** A toast may vanish by itself in the meantime. */
async function dismiss({ page }: Hand): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.toast button')) button.click();
  });
  await page.waitForSelector('.toast', { state: 'detached' });
}

const overSettings: readonly MatrixOverlay[] = [
  { name: 'regenerate key', open: ({ press }) => press('Regenerate…') },
  { name: 'revoke token', open: ({ press }) => press('Revoke') },
  { name: 'replace public link', open: ({ press }) => press('Replace link…') },
  {
    name: 'shorten retention',
    open: async ({ page, press }) => {
      await page.fill('[name=retentionDays]', '30');
      await press('Save retention');
      await page.waitForSelector('dialog');
    },
  },
  {
    name: 'erase person',
    open: async ({ page, press }) => {
      await page.fill('[name=clientId]', 'customer-4711');
      await press('Erase…');
    },
  },
  {
    name: 'delete website, mistyped',
    open: async ({ page, press }) => {
      await press('Delete website…');
      await page.fill('[name=confirm]', 'shop');
    },
  },
  {
    name: 'toast',
    open: async ({ page }) => {
      await page.fill('#website [name=name]', `Oak & Lamp ${Date.now()}`);
      await page.click('#website [type=submit]');
      await page.waitForSelector('.toast');
    },
    close: dismiss,
  },
  {
    name: 'toast of a failure',
    open: async ({ page, press }) => {
      await page.route('**/key', (route) => route.fulfill({ status: 500, body: '{}' }));
      await press('Reveal');
      await page.waitForSelector('.toast-bad');
      await page.unroute('**/key');
    },
    close: dismiss,
  },
];

/** The settings of a website. */
export const settingsStates: readonly MatrixState[] = [
  {
    name: 'settings',
    path: settings,
    data: admin,
    act: ({ page }) => page.waitForSelector('.requests'),
    overlays: overSettings,
    next: [
      {
        name: 'new token',
        part: 'screen',
        act: async ({ page, press }) => {
          await page.fill('.token-new [name=name]', 'Office');
          await press('Create token');
          await page.waitForSelector('dialog');
        },
        leave: async ({ page, press }) => {
          await press('Done');
          await page.waitForSelector('dialog', { state: 'detached' });
        },
      },
      {
        name: 'exclusions, previewed',
        part: '#exclusions',
        act: async ({ page }) => {
          const rules = [
            ['network', '2001:db8:85a3::/48'],
            ['own-host', 'shop.example.com'],
            ['path', '/admin/a-rather-long-path/that-has-no-room-on-a-phone/and-goes-on-and-on/*'],
          ] as const;
          for (const [kind, value] of rules) {
            await page.locator('.exclusion-new select').selectOption(kind);
            await page.fill('.exclusion-new [name=value]', value);
            await page.click('.exclusion-new [type=submit]');
          }
          await page.fill('.exclusion-new [name=value]', 'admin');
          await page.click('.exclusion-new [type=submit]');
          await page.locator('.exclusion .muted').last().waitFor();
        },
      },
      {
        name: 'request opened',
        part: '#requests',
        act: ({ page }) => page.click('summary'),
      },
      {
        name: 'requests, refused',
        part: '#requests',
        act: ({ page }) => page.locator('#requests [role=tab]').last().click(),
      },
      { name: 'key revealed', part: '#key', act: ({ press }) => press('Reveal') },
      {
        name: 'quota, typed',
        part: '#quota',
        act: ({ page }) => page.fill('[name=contingent]', '1,000'),
      },
      {
        name: 'settings, fields refused',
        act: async ({ page, press }) => {
          // A refused field gets the focus, which must not happen while the next one is being cleared.
          await page.fill('#website [name=name]', '');
          await page.click('#website [type=submit]');
          await page.waitForSelector('#website [name=name]:focus');
          await page.fill('[name=contingent]', 'many');
          await press('Save quota');
          await page.waitForSelector('[name=contingent]:focus');
          await page.fill('[name=retentionDays]', '');
          await press('Save retention');
          await press('Create token');
          await page.fill('[name=clientId]', '');
          await press('Export records');
          await page.fill('[name=from]', '2026-11-10');
          await page.fill('[name=to]', '2026-11-01');
        },
      },
      {
        name: 'settings, changed by two',
        part: '#website',
        act: async ({ page, data }) => {
          await page.fill('#website [name=name]', 'My shop');
          Object.assign(data.websites[0]!, { version: 2_000, name: 'Their shop' });
          await page.click('#website [type=submit]');
          await page.waitForSelector('.clashes');
        },
      },
      {
        name: 'settings, being deleted',
        act: async ({ page, press }) => {
          await press('Delete website…');
          await page.fill('[name=confirm]', 'shop.example.com');
          await page.click('dialog [type=submit]');
          await page.waitForSelector('dialog', { state: 'detached' });
          await page.waitForSelector('[role=progressbar]');
        },
      },
    ],
  },
  {
    name: 'settings, fresh',
    path: '/websites/5/settings',
    data: () => ({ ...admin(), requests: [], tokens: [] }),
    isUnfinished: true,
    act: ({ page }) => page.waitForSelector('.people li'),
    next: [
      {
        name: 'session ended',
        part: 'screen',
        act: async ({ page, data }) => {
          await page.fill('#website [name=name]', 'My shop');
          data.session = undefined;
          // The page may notice by itself before that, and cover the button.
          await page.locator('#website [type=submit]').evaluate((button: HTMLElement) => button.click());
          await page.waitForSelector('dialog');
        },
      },
    ],
  },
  {
    name: 'settings, loading',
    path: settings,
    data: admin,
    prepare: (page) => page.route('**/api/websites/1', () => {}),
    isUnfinished: true,
    part: 'screen',
  },
  {
    name: 'settings, failed',
    path: settings,
    data: admin,
    prepare: (page) => page.route('**/api/websites/1', (route) => route.fulfill({ status: 500, body: '{}' })),
  },
  { name: 'settings, for a viewer', path: settings, data: viewer },
];
