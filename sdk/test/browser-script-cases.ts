import type { Page } from 'playwright-core';
import type { Site } from './browser-script-site.ts';

/**
 * What a visitor or the page does on `/start`, and what the script has sent by then besides the first page
 * view.
 */
export type ScriptCase = {
  name: string;
  html?: string;
  /** Script that runs before anything else on the page. */
  before?: string;
  act: string | ((page: Page, site: Site) => Promise<unknown>);
  /** The page of the first page view, if it is not `/start`. */
  firstOn?: string;
  sends: readonly string[];
};

const tag = '<script defer src="/side"></script>';
const stub =
  '<script>window.trackside=window.trackside||function(){(trackside.q=trackside.q||[]).push(arguments)}</script>';
const hide = "window.away = true; Object.defineProperty(document, 'hidden', { get: () => away });";

/** As in browsers without the Navigation API, where only the history shows a change. */
const withoutNavigationApi = 'delete window.navigation';

export const navigations: readonly ScriptCase[] = [
  {
    name: 'pushState counts the page with its query, and the page before as what led to it',
    before: withoutNavigationApi,
    act: "history.pushState(null, '', '/b?size=2')",
    sends: ['view on /b?size=2 from /start'],
  },
  {
    name: 'replaceState to another address counts',
    before: withoutNavigationApi,
    act: "history.replaceState(null, '', '?page=2')",
    sends: ['view on /start?page=2 from /start'],
  },
  {
    name: 'a new state at the same address does not count',
    act: "history.replaceState({ scroll: 9 }, ''); history.pushState({ open: 1 }, '', location.href)",
    sends: [],
  },
  {
    name: 'another fragment does not count',
    html: `${tag}<a href="#reviews">Reviews</a>`,
    act: async (page) => {
      await page.click('a');
      await page.evaluate("history.pushState(null, '', '#end'); history.replaceState(null, '', '#top')");
    },
    sends: [],
  },
  {
    name: 'with data-hash, a path in the fragment is a page, and another fragment is not',
    html: '<script defer src="/side" data-hash></script><a href="#/cart?step=2">Cart</a>',
    before: withoutNavigationApi,
    act: async (page, site) => {
      await page.click('a');
      await site.whenSent(2);
      await page.evaluate("location.hash = '#!/pay/'");
      await site.whenSent(3);
      await page.evaluate("location.hash = '#access_token=secret'");
      await site.whenSent(4);
      await page.evaluate("history.pushState(null, '', '/shop/?utm_source=mail#/a$&b?c=d#e')");
    },
    sends: [
      'view on /start/cart?step=2 from /start',
      'view on /start/pay/ from /start/cart?step=2',
      'view on /start from /start/pay/',
      'view on /shop/a$&b?utm_source=mail&c=d from /start',
    ],
  },
  {
    name: 'a redirect within the application counts once, where it ends',
    act: "history.pushState(null, '', '/account'); history.replaceState(null, '', '/login')",
    sends: ['view on /login from /start'],
  },
  {
    name: 'back and forward in an application count',
    before: withoutNavigationApi,
    act: async (page, site) => {
      await page.evaluate("history.pushState(null, '', '/b')");
      await site.whenSent(2);
      await page.evaluate('history.back()');
      await site.whenSent(3);
      await page.evaluate('history.forward()');
      await site.whenSent(4);
    },
    sends: ['view on /b from /start', 'view on /start from /b', 'view on /b from /start'],
  },
  {
    name: 'an application that navigates by the Navigation API is counted',
    html: `${tag}<script>navigation.addEventListener('navigate', (event) => event.intercept())</script>`,
    act: "navigation.navigate('/b')",
    sends: ['view on /b from /start'],
  },
  {
    name: 'what pushState refuses stays refused, and does not count',
    act: "try { history.pushState(null, '', 'https://other.example/') } catch (error) { trackside(error.name) }",
    sends: ['SecurityError {} on /start from nowhere'],
  },
  {
    name: 'each page of a website without an application counts, also on the way back',
    html: `${tag}<a href="/b">B</a>`,
    act: async (page, site) => {
      await page.click('a');
      await site.whenSent(2);
      await page.goBack();
      await site.whenSent(3);
    },
    sends: ['view on /b from /start', 'view on /start from nowhere'],
  },
  {
    // The headless browser keeps no page in its back/forward cache, so the event of a return is simulated.
    name: 'a page that the browser had kept whole counts again on return, and its source only once',
    act: "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    sends: ['view on /start from /start'],
  },
  {
    // Nor does it prerender during a test, or put a tab into the background.
    name: 'a tab in the background counts when it is first seen, where it is then, and events after it',
    before: hide,
    act: async (page) => {
      await page.evaluate("trackside('Loaded'); history.pushState(null, '', '/b')");
      await page.evaluate("away = false; document.dispatchEvent(new Event('visibilitychange'))");
    },
    firstOn: '/b',
    sends: ['Loaded {} on /b from nowhere'],
  },
  {
    name: 'a prerendered page counts when it is shown',
    before: hide,
    act: "away = false; document.dispatchEvent(new Event('prerenderingchange'))",
    sends: [],
  },
  {
    name: 'a page that goes into the background and returns does not count again, and its events are sent',
    before: `${hide} away = false;`,
    act: `away = true; document.dispatchEvent(new Event('visibilitychange')); trackside('Left');
          away = false; document.dispatchEvent(new Event('visibilitychange'))`,
    sends: ['Left {} on /start from nowhere'],
  },
];

const mark = 'data-trackside-event="Sign-up" data-trackside-plan="pro" data-trackside-plan-name="Für alle"';
const marked = 'Sign-up {"plan":"pro","planName":"Für alle"} on /start from nowhere';

export const events: readonly ScriptCase[] = [
  {
    name: 'a click on a label counts once, though the browser clicks its field too',
    html: `${tag}<label ${mark}><input type="checkbox"><span id="text">I agree</span></label>`,
    act: "document.querySelector('#text').click()",
    sends: [marked],
  },
  {
    name: 'a click on the label of a field elsewhere counts',
    html: `${tag}<label for="there" ${mark}><span id="text">I agree</span></label><input type="checkbox" id="there">`,
    act: "document.querySelector('#text').click()",
    sends: [marked],
  },
  {
    name: 'an event right after a navigation comes behind its page',
    act: "history.pushState(null, '', '/b'); trackside('Order')",
    sends: ['view on /b from /start', 'Order {} on /b from /start'],
  },
  {
    name: 'a call sends the event with its parameters',
    act: "trackside('Order', { plan: 'pro', seats: 5, trial: false })",
    sends: ['Order {"plan":"pro","seats":5,"trial":false} on /start from nowhere'],
  },
  {
    name: 'a call that makes no sense does not throw',
    act: `const round = {}; round.round = round;
          trackside(); trackside(Symbol()); trackside('Round', round); trackside('Big', { big: 1n })`,
    sends: ['undefined {} on /start from nowhere', 'Symbol() {} on /start from nowhere'],
  },
  {
    name: 'calls from before the script is there are sent after the page view',
    html: `${stub}<script>trackside('Early', { n: 1 }); trackside('Second')</script>${tag}`,
    act: '',
    sends: ['Early {"n":1} on /start from nowhere', 'Second {} on /start from nowhere'],
  },
  {
    name: 'a call by the stub that the page kept arrives',
    html: `${stub}<script>const kept = window.trackside</script>${tag}`,
    act: "kept('Late')",
    sends: ['Late {} on /start from nowhere'],
  },
  {
    name: 'the script twice on a page counts once',
    html: `${tag}<button ${mark}>Go</button>${tag}`,
    act: async (page) => {
      await page.addScriptTag({ url: '/side' });
      await page.click('button');
      await page.evaluate("history.pushState(null, '', '/b')");
    },
    sends: [marked, 'view on /b from /start'],
  },
  {
    name: 'a click on something within a marked element sends its event, without a parameter for the name',
    html: `${tag}<div ${mark}><b><svg width="20" height="20"><circle r="9"/></svg></b></div>`,
    act: (page) => page.click('svg'),
    sends: [marked],
  },
  {
    name: 'the innermost of two marked elements speaks',
    html: `${tag}<div data-trackside-event="Outer"><button ${mark}>Go</button></div>`,
    act: (page) => page.click('button'),
    sends: [marked],
  },
  {
    name: 'a marked element in a shadow tree sends its event',
    html: `${tag}<p></p><script>
      const shadow = document.querySelector('p').attachShadow({ mode: 'open' });
      shadow.innerHTML = '<button ${mark}><b>Go</b></button>';
    </script>`,
    act: (page) => page.click('b'),
    sends: [marked],
  },
  {
    name: 'the keyboard sends the event of a button',
    html: `${tag}<button ${mark}>Go</button>`,
    act: (page) => page.press('button', 'Enter'),
    sends: [marked],
  },
  {
    name: 'the event of a link arrives although the visitor leaves',
    html: `${tag}<a href="/b" ${mark}>Go</a>`,
    act: (page) => page.click('a'),
    sends: [marked, 'view on /b from /start'],
  },
  {
    name: 'the middle button counts on a link, and neither elsewhere nor the right one',
    html: `${tag}<a href="javascript:void 0" ${mark}>Go</a><button ${mark}>Go</button>`,
    act: async (page) => {
      await page.click('a', { button: 'right' });
      await page.click('button', { button: 'middle' });
      await page.click('a', { button: 'middle' });
    },
    sends: [marked],
  },
  {
    name: 'a marked form sends its event when it is submitted, not when it is clicked',
    html: `${tag}<form ${mark} onsubmit="return false"><input name="q" required><button>Go</button></form>`,
    act: async (page) => {
      await page.click('button');
      await page.fill('input', 'shoes');
      await page.press('input', 'Enter');
    },
    sends: [marked],
  },
  {
    name: 'a page that stops its clicks is counted all the same',
    html: `${tag}<button ${mark} onclick="event.stopImmediatePropagation()">Go</button>`,
    act: (page) => page.click('button'),
    sends: [marked],
  },
];

export const hardships: readonly ScriptCase[] = [
  {
    name: 'a browser that is not to be counted sends nothing until it may again',
    act: async (page) => {
      await page.evaluate("localStorage.tracksideIgnore = true; trackside('Unseen')");
      await page.evaluate("history.pushState(null, '', '/unseen')");
      await page.evaluate("localStorage.removeItem('tracksideIgnore'); trackside('Seen')");
    },
    before: withoutNavigationApi,
    sends: ['Seen {} on /unseen from /start'],
  },
  {
    name: 'a link to a page cannot stop the browser from being counted',
    act: "history.pushState(null, '', '/b?tracksideIgnore=true#tracksideIgnore')",
    before: withoutNavigationApi,
    sends: ['view on /b?tracksideIgnore=true from /start'],
  },
  {
    name: 'where storage is disabled, everything counts',
    before: `Object.defineProperty(window, 'localStorage', { get() { throw new Error('SecurityError'); } });`,
    act: "trackside('Order')",
    sends: ['Order {} on /start from nowhere'],
  },
  {
    name: 'where sendBeacon declines, fetch sends',
    before: 'navigator.sendBeacon = () => false',
    act: "trackside('Order')",
    sends: ['Order {} on /start from nowhere'],
  },
  {
    name: 'where sendBeacon is missing, fetch sends',
    before: 'navigator.sendBeacon = undefined',
    act: "trackside('Order')",
    sends: ['Order {} on /start from nowhere'],
  },
  {
    name: 'to another site, fetch sends, because ad blockers stop beacons there',
    before: "navigator.sendBeacon = () => { throw new Error('stopped') }",
    html: `<script>const src = \`http://localhost:\${location.port}/side\`;
           document.head.append(Object.assign(document.createElement('script'), { src }))</script>`,
    act: "trackside('Order')",
    sends: ['Order {} on /start from nowhere'],
  },
  {
    name: 'a fetch that fails is not told to the page',
    act: `const { fetch } = window; navigator.sendBeacon = () => false;
          window.fetch = () => Promise.reject(new Error('offline')); trackside('Lost');
          window.fetch = undefined; trackside('Lost too'); window.fetch = fetch`,
    sends: [],
  },
  {
    name: 'a frozen history stays as it is, and the rest works',
    before: `Object.freeze(history); ${withoutNavigationApi}`,
    act: "history.pushState(null, '', '/b'); trackside('Order')",
    sends: ['view on /b from /start', 'Order {} on /b from /start'],
  },
  {
    name: 'a base that comes later does not move the endpoint',
    html: '<script src="side"></script>',
    act: `
      document.head.append(Object.assign(document.createElement('base'), { href: '/deep/er/' }));
      trackside('Order')`,
    sends: ['Order {} on /start from nowhere'],
  },
  {
    name: 'an injected script knows its endpoint',
    html: `<script>document.head.append(Object.assign(document.createElement('script'), { src: '/side' }))</script>`,
    act: '',
    sends: [],
  },
];
