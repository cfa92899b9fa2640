import { isLongForm } from '../../server/test/support/long-form.ts';
import { examinePages } from './examine-pages.ts';
import type { Look } from './look.ts';
import type { PageState } from './page-state.ts';
import type { Prepared } from './prepare-stand-in.ts';

/**
 * On the phone, each page is examined once, with what opens over it. Its width rarely depends on its state.
 */
const states = new Set([
  ...(isLongForm ? ['analytics, engine away', 'analytics, one panel not to be had'] : []),
  'API reference',
  'sign in',
  'setup',
  'websites',
  'websites, none yet',
  'add website, refused',
  'analytics',
  'analytics, filtered',
  'analytics, with lost records',
  'live',
  'live, nobody there',
  'live, engine away',
  'public page',
  'embedded, dark',
  'public link that does not work',
  'website, waiting for the first record',
  'edit website',
  'edit website, fresh',
  'edit website, opened up',
  'data quality',
  'data quality, 400 days',
  'data quality, all counted',
  'account',
  'users',
  'audit log',
  'not found',
]);

/** In the short form, these are examined on the phone, and the others on the desktop. */
const onlyOnPhone = new Set([
  'setup',
  'websites, none yet',
  'analytics, filtered',
  'live, nobody there',
  'embedded, dark',
  'website, waiting for the first record',
  'edit website, fresh',
  'data quality, all counted',
  'account',
  'audit log',
]);

const desktop: Look = { name: 'desktop', colorScheme: 'light', width: 1280, height: 900, isPhone: false };
const phone: Look = {
  states,
  name: '360 pixels',
  colorScheme: 'dark',
  width: 360,
  height: 740,
  isPhone: true,
  // The rules that depend on colors and on the width. The rest was examined on the desktop.
  rules: [
    'color-contrast',
    'target-size',
    'link-in-text-block',
    'scrollable-region-focusable',
    'meta-viewport',
  ],
};

/** Looks for problems on every page. */
export function testPages(prepared: Prepared): void {
  const onlyLook = ({ name }: PageState) => (onlyOnPhone.has(name) ? phone : desktop);
  examinePages(prepared, { looks: [desktop, phone], onlyLook });
}
