import { admin, viewer } from './matrix-data.ts';
import type { MatrixState } from './matrix-state.ts';

const quality = '/websites/1/quality';

/** The page about what became of everything that was sent. */
export const qualityStates: readonly MatrixState[] = [
  {
    name: 'quality, troubled',
    path: quality,
    data: () => ({ ...admin(), ledger: 'troubled' }),
    act: ({ page }) => page.waitForSelector('.hours'),
    next: [
      {
        name: 'quality, 7 days',
        act: async ({ page }) => {
          await page.locator('.choice button').first().click();
          await page.waitForFunction(() => document.querySelectorAll('.day-cell').length === 7);
          await page.waitForSelector('.hours');
        },
      },
      {
        name: 'quality, 400 days',
        act: async ({ page }) => {
          await page.locator('.choice button').last().click();
          await page.waitForFunction(() => document.querySelectorAll('.day-cell').length === 400);
          await page.waitForSelector('.hours');
        },
      },
    ],
  },
  {
    name: 'quality, fine',
    path: quality,
    data: admin,
    act: ({ page }) => page.waitForSelector('.hours'),
  },
  { name: 'quality, nothing sent yet', path: quality, data: () => ({ ...admin(), ledger: 'empty' }) },
  { name: 'quality, silent', path: quality, data: () => ({ ...admin(), ledger: 'silent' }) },
  {
    name: 'quality, loading',
    path: quality,
    data: admin,
    prepare: (page) => page.route('**/ledger?*', () => {}),
    isUnfinished: true,
    part: 'screen',
  },
  {
    name: 'quality, failed',
    path: quality,
    data: admin,
    prepare: (page) => page.route('**/ledger?*', (route) => route.fulfill({ status: 500, body: '{}' })),
  },
  {
    name: 'quality, hint on the dashboard',
    path: '/websites/1',
    data: () => ({ ...admin(), ledger: 'troubled' }),
    part: 'screen',
    act: ({ page }) => page.waitForSelector('.lost-hint'),
  },
  { name: 'quality, for a viewer', path: quality, data: viewer },
];
