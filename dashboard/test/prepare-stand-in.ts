import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { type BuiltApp, buildApp } from './build-app.ts';
import { openChromium } from './open-chromium.ts';

/** What exists once the tests run. */
export type Prepared = { app: () => BuiltApp; browser: () => Browser };

/** Prepares the application and one Chromium for all tests of a file. */
export function prepareStandIn(): Prepared {
  let app: BuiltApp;
  let browser: Browser;
  before(async () => {
    app = await buildApp();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await app?.remove();
  });
  return { app: () => app, browser: () => browser };
}
