/**
 * What runs in the visitor's browser: page views and events, sent to the address that this text came from. It
 * must stay under 1 KB gzipped, and it is a guest: nothing of it may throw into the page.
 *
 * `script-text.ts` is made of it by `node_modules/.bin/node sdk/build/write-script.ts`.
 */

type Parameters = Record<string, string | number | boolean>;
type Call = [name: string, parameters?: Parameters | undefined];
type Track = ((...call: Call) => void) & { q?: { push(call: Call): unknown }; on?: 1 };

/** Fixed when the text is made. */
declare const respectDoNotTrack: boolean;
declare const navigator: Navigator & { doNotTrack?: string | null; globalPrivacyControl?: boolean };
declare const window: Window & { trackside?: Track; navigation?: EventTarget };

const script = document.currentScript;
// An image named currentScript would stand in for the script, and its address be told everything.
const url = script instanceof HTMLScriptElement && script.src;
const stub = window.trackside;
/** Calls from before the first page view: an event shall not be recorded ahead of its page. */
const waiting = (stub?.q || []) as Call[];

/** The page that was counted last, and what led to it. */
let address: string | undefined;
let referrer = document.referrer;

/**
 * Without the fragment: it can be a secret, no referrer has it either, and it alone does not make another
 * page.
 */
const readAddress = () => location.href.split('#')[0];

const send = (name?: string, parameters?: Parameters) => {
  try {
    if (respectDoNotTrack && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl)) return;
    // A text goes out as text/plain, which needs no preflight where the endpoint is on another origin.
    const body = JSON.stringify({
      ScreenWidth: screen.width,
      ScreenHeight: screen.height,
      Language: navigator.language,
      Referrer: referrer,
      Absolute: readAddress(),
      Name: parameters && String(name),
      Parameters: parameters,
    });
    navigator.sendBeacon?.(url as string, body) ||
      fetch(url as string, { method: 'POST', body, keepalive: true }).catch(() => {});
  } catch {}
};

/**
 * Counts what the visitor looks at, once. A prerendered page and a tab in the background are hidden, and
 * count when they are first seen; a page that the browser had kept whole counts again when the visitor comes
 * back to it.
 */
const view = (event?: Event) => {
  const now = readAddress();
  if (!document.hidden && (now !== address || (event as PageTransitionEvent | undefined)?.persisted)) {
    // From the second one on the visitor comes from here: the site that sent them is told once.
    referrer = address || referrer;
    address = now;
    send();
    for (const call of waiting.splice(0)) track(...call);
  }
};

/** An application may redirect before it is done: what counts is where it is then. */
const viewSoon = () => queueMicrotask(view);

const track: Track = (name, parameters) => {
  // After a navigation in the same turn, the page comes first.
  view();
  if (address) send(name, parameters || {});
  else waiting.push([name, parameters]);
};

/** The path of an event also leads out of shadow trees, where `closest` would end. */
const act = (event: Event) => {
  const path = event.composedPath() as (HTMLAnchorElement & HTMLLabelElement)[];
  const marked = path.find((node) => node.dataset?.tracksideEvent);
  const { button } = event as MouseEvent;
  if (
    marked &&
    // Who clicks into a form has not sent it yet.
    (event.type === 'submit') === (marked.localName === 'form') &&
    // The middle button opens links, and does nothing elsewhere.
    (!button || (button < 2 && path.some((node) => node.href))) &&
    // A click on a label is followed by one on its field, which is the one that counts.
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
  // Where the page kept the stub, its calls still arrive.
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
  // What navigates by the Navigation API calls neither of the two.
  window.navigation?.addEventListener('currententrychange', viewSoon);
  addEventListener('popstate', viewSoon);
  for (const type of ['pageshow', 'visibilitychange', 'prerenderingchange'])
    addEventListener(type, view, true);
  for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, act, true);
  view();
}
