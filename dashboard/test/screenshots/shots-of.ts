import type { Page } from 'playwright-core';
import type { Websites } from './prepare-server.ts';

export const looks = ['desktop-light', 'desktop-dark', 'phone-light', 'phone-dark'] as const;
export type Look = (typeof looks)[number];

export type Shot = {
  name: string;
  path: string;
  /** All of them if not given. */
  looks?: readonly Look[];
  isSignedOut?: true;
  /** The height to show, from the top of the page. All of it if not given. */
  height?: number | 'screen';
  /** Has four times the pixels, for where it is shown large. */
  isFine?: true;
  /** As it would be printed. */
  isPrint?: true;
  /** Runs before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
};

/** What happens now comes first, because the demo's newest visitors leave after half an hour. */
export function shotsOf({ demo, fresh, share }: Websites): Shot[] {
  const site = `/websites/${demo}`;
  const filtered = { name: 'analytics-filtered', path: `${site}?f=country:is:DE&f=page:contains:/docs` };
  return [
    { name: 'live', path: `${site}/live`, looks: ['desktop-light', 'desktop-dark', 'phone-light'] },
    {
      name: 'analytics',
      path: site,
      looks: ['desktop-light', 'desktop-dark'],
      isFine: true,
      height: 1420,
      act: (page) => page.hover('.chart-over', { position: { x: 640, y: 90 } }),
    },
    { name: 'analytics', path: site, looks: ['phone-light', 'phone-dark'] },
    { name: 'analytics-whole', path: site, looks: ['desktop-light'] },
    { ...filtered, looks: ['desktop-light'], height: 1420 },
    { ...filtered, looks: ['phone-dark'] },
    { name: 'analytics-today', path: `${site}?period=today`, looks: ['desktop-dark'] },
    { name: 'analytics-empty', path: `${site}?period=2020-01-01..2020-01-07`, looks: ['desktop-light'] },
    { name: 'analytics-print', path: site, looks: ['desktop-light'], isPrint: true },
    { name: 'share', path: share, looks: ['desktop-light', 'phone-dark'], isSignedOut: true },
    { name: 'embed', path: `${share}/embed?theme=dark`, looks: ['desktop-dark'], isSignedOut: true },
    { name: 'sign-in', path: '/sign-in', isSignedOut: true },
    { name: 'setup', path: '/setup', isSignedOut: true },
    { name: 'websites', path: '/websites' },
    { name: 'add-website', path: '/websites/new' },
    { name: 'integrate', path: `/websites/${fresh}` },
    { name: 'edit-website', path: `${site}/settings` },
    { name: 'quality', path: `${site}/quality` },
    {
      name: 'regenerate-key',
      path: `${site}/settings`,
      height: 'screen',
      act: (page) => page.getByRole('button', { name: 'Regenerate…' }).click(),
    },
    { name: 'account', path: '/account' },
    { name: 'users', path: '/users' },
    { name: 'audit-log', path: '/audit' },
    { name: 'not-found', path: '/nowhere' },
  ];
}
