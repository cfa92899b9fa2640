import { examinePages, type Look } from './examine-pages.ts';

/** On the phone, each page once, and what opens over it: a state of a page seldom changes its width. */
const states = new Set([
  'API reference',
  'sign in',
  'setup',
  'websites',
  'websites, none yet',
  'add website, refused',
  'analytics',
  'analytics, filtered',
  'analytics, engine away',
  'analytics, one panel not to be had',
  'live',
  'live, nobody there',
  'live, engine away',
  'public page',
  'embedded, dark',
  'public link that does not work',
  'website, waiting for the first record',
  'edit website',
  'edit website, opened up',
  'account',
  'users',
  'audit log',
  'not found',
]);

const desktop: Look = { name: 'desktop', colorScheme: 'light', viewport: { width: 1280, height: 900 } };
const phone: Look = {
  states,
  name: '360 pixels',
  colorScheme: 'dark',
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  // What depends on colours and on the width; the rest was looked at on the desktop.
  rules: [
    'color-contrast',
    'target-size',
    'link-in-text-block',
    'scrollable-region-focusable',
    'meta-viewport',
  ],
};

examinePages([desktop, phone]);
