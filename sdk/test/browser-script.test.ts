import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { keepWindow } from '../../dashboard/test/keep-window.ts';
import { openChromium } from '../../dashboard/test/open-chromium.ts';
import { events, hardships, navigations, type ScriptCase } from './browser-script-cases.ts';
import { type Site, type SitePage, startSite } from './browser-script-site.ts';

let browser: Browser;
before(async () => {
  browser = await openChromium();
});
after(() => browser.close());

type Visit = {
  page: Page;
  site: Site;
  /** What the page or the script threw or complained about. */
  errors: string[];
};

async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  return page;
}

const windows = keepWindow(openWindow);

/** Opens a separate site for one test, in a window that the tests share unless they need a special one. */
async function open(
  t: TestContext,
  { site: sitePage, context }: { site?: SitePage; context?: BrowserContextOptions } = {},
): Promise<Visit> {
  const site = await startSite(sitePage);
  const page = context === undefined ? await windows.take() : await openWindow(context);
  t.after(async () => {
    if (context === undefined && t.passed) await windows.giveBack(page);
    else await page.context().close();
    await site.close();
  });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, site, errors };
}

/**
 * Sends a marker from the page itself, so that it arrives whatever the script does. Everything that the
 * script sent earlier is there by then.
 */
const sendMarker = (page: Page) =>
  page.evaluate("fetch('/marker', { method: 'POST', body: JSON.stringify({ Absolute: '', Referrer: '' }) })");

/**
 * Waits for the expected records and then for the marker. Any surplus record comes before the marker, so it
 * cannot hide.
 */
async function assertSent({ page, site, errors }: Visit, expected: readonly string[]) {
  await site.whenSent(expected.length);
  await sendMarker(page);
  await site.whenSent(expected.length + 1);
  const lines = site.lines().filter((_, index) => site.sent[index]?.path !== '/marker');
  // Requests at the same time use separate connections, and can overtake each other.
  assert.deepEqual(lines.toSorted(), expected.toSorted());
  assert.deepEqual(errors, []);
}

async function run(t: TestContext, { html, before, act, firstOn, sends }: ScriptCase) {
  const visit = await open(t, { site: { before, html } });
  const { page, site } = visit;
  await page.goto(`${site.origin}/start`);
  const isHidden = await page.evaluate<boolean>('document.hidden');
  if (isHidden) {
    await sendMarker(page);
    assert.deepEqual([site.sent.shift()?.path, site.sent.length], ['/marker', 0], 'sent while nobody looked');
  } else await site.whenSent(1);
  if (typeof act === 'string') await page.evaluate(`{ ${act} }`);
  else await act(page, site);
  await assertSent(visit, [`view on ${firstOn ?? '/start'} from nowhere`, ...sends]);
}

for (const each of [...navigations, ...events, ...hardships]) test(each.name, (t) => run(t, each));

test('a page view has the five values, as plain text', async (t) => {
  const { page, site } = await open(t, {
    context: {
      locale: 'de-CH',
      screen: { width: 1920, height: 1080 },
      viewport: { width: 800, height: 600 },
    },
  });
  await page.goto(`${site.origin}/start?size=2#secret`);
  await site.whenSent(1);
  assert.deepEqual(site.sent, [
    {
      path: '/side',
      contentType: 'text/plain;charset=UTF-8',
      body: {
        ScreenWidth: 1920,
        ScreenHeight: 1080,
        Language: 'de-CH',
        Referrer: '',
        Absolute: `${site.origin}/start?size=2`,
      },
    },
  ]);
});

test('sends the site that referred the visitor with the first page and its events, not with the next page', async (t) => {
  const visit = await open(t);
  const { page, site } = visit;
  await page.goto(`${site.origin}/start`, { referer: 'http://search.example/' });
  await page.evaluate("trackside('Order')");
  await site.whenSent(2);
  await page.evaluate("history.pushState(null, '', '/b'); queueMicrotask(() => trackside('Order'))");
  await assertSent(visit, [
    'view on /start from http://search.example/',
    'Order {} on /start from http://search.example/',
    'view on /b from /start',
    'Order {} on /b from /start',
  ]);
});

const wishes = {
  'Do Not Track': "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })",
  'Global Privacy Control': "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
};
for (const [wish, before] of Object.entries(wishes)) {
  test(`with ${wish}, the script that respects it sends nothing, and calls are harmless`, async (t) => {
    const visit = await open(t, { site: { before, html: '<script src="/asks-first"></script>' } });
    await visit.page.goto(`${visit.site.origin}/start`);
    await visit.page.evaluate("trackside('Order'); history.pushState(null, '', '/b')");
    await assertSent(visit, []);
  });

  test(`with ${wish}, the script that was not told to respect it sends`, async (t) => {
    const visit = await open(t, { site: { before } });
    await visit.page.goto(`${visit.site.origin}/start`);
    await assertSent(visit, ['view on /start from nowhere']);
  });
}

test('the script that respects wishes sends if there is none', async (t) => {
  const visit = await open(t, { site: { html: '<script src="/asks-first"></script>' } });
  await visit.page.goto(`${visit.site.origin}/start`);
  await assertSent(visit, ['view on /start from nowhere']);
  assert.equal(visit.site.sent[0]?.path, '/asks-first');
});

test('works under a strict content security policy with Trusted Types', async (t) => {
  const policy =
    "default-src 'none'; script-src 'self'; connect-src 'self'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'";
  const { page, site, errors } = await open(t, {
    site: {
      html:
        '<script defer src="/side"></script>' +
        '<button data-trackside-event="Order" data-trackside-n="1">Go</button>',
      headers: { 'content-security-policy': policy },
    },
  });
  await page.goto(`${site.origin}/start`);
  await page.click('button');
  await site.whenSent(2);
  assert.deepEqual(site.lines().toSorted(), [
    'Order {"n":"1"} on /start from nowhere',
    'view on /start from nowhere',
  ]);
  assert.deepEqual(errors, []);
});

test('a policy that forbids the connection loses the records, but does not break the page', async (t) => {
  const html =
    '<script src="/side"></script>' +
    '<script>trackside("A"); history.pushState(null, "", "/b"); document.title = "fine"</script>';
  const { page, site, errors } = await open(t, {
    site: { html, headers: { 'content-security-policy': "connect-src 'none'" } },
  });
  await page.goto(`${site.origin}/start`);
  await page.waitForURL('**/b');
  assert.equal(await page.title(), 'fine');
  assert.deepEqual(site.lines(), []);
  // The browser itself complains about the policy. Nothing was thrown.
  assert.deepEqual(
    errors.filter((error) => !error.includes('Content Security Policy')),
    [],
  );
});

const strangers = {
  'a module, which cannot know its address,': '<script type="module" src="/side"></script>',
  'a script whose place an image takes':
    '<img name="currentScript" src="/favicon.ico"><script src="/side"></script>',
};
for (const [name, html] of Object.entries(strangers)) {
  test(`${name} sends nothing anywhere`, async (t) => {
    const visit = await open(t, { site: { html } });
    await visit.page.goto(`${visit.site.origin}/start`);
    await visit.page.evaluate("history.pushState(null, '', '/b')");
    await assertSent(visit, []);
  });
}

test('leaves no cookie and nothing in any storage', async (t) => {
  const { page, site } = await open(t);
  await page.goto(`${site.origin}/start`);
  await page.evaluate("trackside('Order')");
  await site.whenSent(2);
  const kept = await page.evaluate(`(async () => [
    document.cookie, localStorage.length, sessionStorage.length, window.name,
    (await indexedDB.databases()).length, history.state,
  ])()`);
  assert.deepEqual(kept, ['', 0, 0, '', 0, null]);
  assert.deepEqual(await page.context().storageState({ indexedDB: true }), { cookies: [], origins: [] });
});
