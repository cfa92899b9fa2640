/**
 * The script that runs in the visitor's browser. It sends page views and events to the URL that it was loaded
 * from. It must stay under 1 KB gzipped, and it is a guest: none of it may throw into the page.
 *
 * `script-text.ts` is generated from it by `node_modules/.bin/node sdk/build/write-script.ts`.
 */

type Parameters = Record<string, string | number | boolean>;
type Call = [name: string, parameters?: Parameters | undefined];
type Track = ((...call: Call) => void) & { q?: { push(call: Call): unknown }; on?: 1 };

/** Set when the text is generated. */
declare const respectDoNotTrack: boolean;
declare const navigator: Navigator & { doNotTrack?: string | null; globalPrivacyControl?: boolean };
declare const window: Window & { trackside?: Track; navigation?: EventTarget };

const script = document.currentScript;
// An image named currentScript would be taken for the script, and everything would be sent to its URL.
const url = script instanceof HTMLScriptElement && script.src;
const stub = window.trackside;
/** Calls from before the first page view, because an event must not be recorded before its page. */
const waiting = (stub?.q || []) as Call[];

/** The page that was counted last, and its referrer. */
let address: string | undefined;
let referrer = document.referrer;

/**
 * Leaves out the fragment: it can be a secret, no referrer has it either, and it alone does not make another
 * page. With `data-hash`, a fragment that starts with `/` or `!/` is the path of an application, and its
 * query is a query.
 */
const readAddress = () => {
  const [page, hash] = location.href.split('#');
  const route = url && 'hash' in script.dataset && /^!?\/([^?]*)\??(.*)/.exec(hash!);
  if (!route) return page;
  const all = new URL(page!);
  all.pathname = all.pathname.replace(/\/?$/, '/') + route[1];
  if (route[2]) all.search += (all.search ? '&' : '?') + route[2];
  return all.href;
};

const send = (name?: string, parameters?: Parameters) => {
  try {
    // Set by visitors who don't want to be counted. Only the page itself can set it, not a link to the page.
    if (localStorage.tracksideIgnore) return;
  } catch {
    // Storage is disabled, so nobody can have set it.
  }
  try {
    if (respectDoNotTrack && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl)) return;
    // A string is sent as text/plain, which needs no preflight if the endpoint is on another origin.
    const body = JSON.stringify({
      ScreenWidth: screen.width,
      ScreenHeight: screen.height,
      Language: navigator.language,
      Referrer: referrer,
      Absolute: readAddress(),
      Name: parameters && String(name),
      Parameters: parameters,
    });
    // Ad blockers stop beacons to other sites, whatever their address.
    (new URL(url as string).origin === location.origin && navigator.sendBeacon?.(url as string, body)) ||
      // Sends cookies, as a beacon does.
      fetch(url as string, { method: 'POST', body, keepalive: true, credentials: 'include' }).catch(() => {});
  } catch {}
};

/**
 * Counts the page that the visitor looks at, once. A prerendered page or a background tab is hidden, and
 * counts when it is first seen. A page that the browser kept in its cache counts again when the visitor
 * returns to it.
 */
const view = (event?: Event) => {
  const now = readAddress();
  if (!document.hidden && (now !== address || (event as PageTransitionEvent | undefined)?.persisted)) {
    // From the second page on, the referrer is the previous page. The site that sent the visitor is sent
    // once.
    referrer = address || referrer;
    address = now;
    send();
    for (const call of waiting.splice(0)) track(...call);
  }
};

/** An application may redirect before it is done, so the page is read afterwards. */
const viewSoon = () => queueMicrotask(view);

const track: Track = (name, parameters) => {
  // After a navigation in the same turn, the page comes first.
  view();
  if (address) send(name, parameters || {});
  else waiting.push([name, parameters]);
};

/** The path of an event also leads out of shadow trees, where `closest` would stop. */
const act = (event: Event) => {
  const path = event.composedPath() as (HTMLAnchorElement & HTMLLabelElement)[];
  const marked = path.find((node) => node.dataset?.tracksideEvent);
  const { button } = event as MouseEvent;
  if (
    marked &&
    // A click into a form does not submit it yet.
    (event.type === 'submit') === (marked.localName === 'form') &&
    // The middle button opens links, and does nothing elsewhere.
    (!button || (button < 2 && path.some((node) => node.href))) &&
    // A click on a label is followed by one on its field, and only that one counts.
    !path.some(({ control }) => control && control !== path[0] && marked.contains(control))
  ) {
    const parameters: Parameters = {};
    for (const key in marked.dataset) {
      if (/^trackside(?!Event$)./.test(key)) {
        parameters[key[9]!.toLowerCase() + key.slice(10)] = marked.dataset[key]!;
      }
    }
    track(marked.dataset.tracksideEvent!, parameters);
  }
};

if (url && !stub?.on) {
  // Calls still arrive if the page kept a reference to the stub.
  track.q = { push: (call) => track(...call) };
  track.on = 1;
  window.trackside = track;
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method];
    try {
      history[method] = function (...args) {
        original.apply(this, args);
        viewSoon();
      };
    } catch {}
  }
  // Navigation through the Navigation API calls neither of the two methods.
  window.navigation?.addEventListener('currententrychange', viewSoon);
  addEventListener('popstate', viewSoon);
  for (const type of ['pageshow', 'visibilitychange', 'prerenderingchange'])
    addEventListener(type, view, true);
  for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, act, true);
  view();
}
