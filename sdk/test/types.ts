/**
 * Wrong use does not compile. This is never run: `npm run check` compiles it, and an @ts-expect-error above a
 * line without an error is an error itself. A test of the package compiles it once more, against the
 * published types.
 */
import type { Metrics, Result, Tracker } from '../src/client/trackside.ts';
import { Trackside } from '../src/client/trackside.ts';

const metrics: Metrics = {
  Browser: { IP: '203.0.113.7', UserAgent: '' },
  Identify: {},
  Language: { Code: 'en' },
  Page: { Absolute: 'https://shop.example/' },
  Referrer: {},
  Screen: { Width: 1920, Height: 1080 },
  Location: {},
};

export async function sendWrongMetrics(trackside: Trackside): Promise<void> {
  // @ts-expect-error Metrics are missing
  await trackside.pageView();
  // @ts-expect-error the outermost object is made by the SDK
  await trackside.pageView({ Metrics: metrics });
  const { Screen: _screen, ...withoutScreen } = metrics;
  // @ts-expect-error Screen is missing
  await trackside.pageView(withoutScreen);
  const { Location: _location, ...withoutLocation } = metrics;
  // @ts-expect-error Location is missing; it may be empty
  await trackside.pageView(withoutLocation);
  // @ts-expect-error IP is missing
  await trackside.pageView({ ...metrics, Browser: { UserAgent: '' } });
  // @ts-expect-error UserAgent is missing; it may be empty
  await trackside.pageView({ ...metrics, Browser: { IP: '203.0.113.7' } });
  // @ts-expect-error an address may be unknown to the backend, but not to the record
  await trackside.pageView({ ...metrics, Browser: { IP: undefined, UserAgent: '' } });
  // @ts-expect-error the member is spelled ClientId
  await trackside.pageView({ ...metrics, Identify: { ClientID: 'u-17' } });
  // @ts-expect-error an identifier is a string
  await trackside.pageView({ ...metrics, Identify: { ClientId: 17 } });
  // @ts-expect-error the language is an object with a Code
  await trackside.pageView({ ...metrics, Language: 'en' });
  // @ts-expect-error the language is never unknown
  await trackside.pageView({ ...metrics, Language: { Code: null } });
  // @ts-expect-error the page is an object with an absolute address
  await trackside.pageView({ ...metrics, Page: 'https://shop.example/' });
  // @ts-expect-error an address is a string
  await trackside.pageView({ ...metrics, Page: { Absolute: new URL('https://shop.example/') } });
  // @ts-expect-error without a referrer the object is empty, not absent
  await trackside.pageView({ ...metrics, Referrer: null });
  // @ts-expect-error pixels are numbers
  await trackside.pageView({ ...metrics, Screen: { Width: '1920', Height: 1080 } });
  // @ts-expect-error there is no such continent
  await trackside.pageView({ ...metrics, Location: { ContinentCode: 'Europe' } });
  // @ts-expect-error the member is spelled CountryCode
  await trackside.pageView({ ...metrics, Location: { Country: 'DE' } });
  // @ts-expect-error a postal code is a string
  await trackside.pageView({ ...metrics, Location: { PostalCode: 10115 } });
}

export async function sendWrongEvents(trackside: Trackside): Promise<void> {
  // @ts-expect-error Parameters are missing; they may be empty
  await trackside.event('Order', metrics);
  // @ts-expect-error a name is a string
  await trackside.event(7, [], metrics);
  // @ts-expect-error Metrics are missing
  await trackside.event('Order', []);
  // @ts-expect-error a value in a list is a string
  await trackside.event('Order', [{ Name: 'seats', Value: 5 }], metrics);
  // @ts-expect-error members of a parameter are spelled Name and Value
  await trackside.event('Order', [{ name: 'plan', value: 'pro' }], metrics);
  // @ts-expect-error a parameter has a Value
  await trackside.event('Order', [{ Name: 'plan' }], metrics);
  // @ts-expect-error a value is no object
  await trackside.event('Order', { cart: { total: 5 } }, metrics);
  // @ts-expect-error a value is never absent
  await trackside.event('Order', { plan: null }, metrics);
  await trackside.event('Order', { plan: undefined }, metrics);
  // @ts-expect-error parameters are never null
  await trackside.event('Order', null, metrics);
  // @ts-expect-error and a handed-over event is as strict as one that is waited for
  trackside.trackEvent('Order', [{ Name: 'seats', Value: 5 }], metrics);
  // @ts-expect-error and so is a page view
  trackside.trackPageView({ ...metrics, Identify: { ClientID: 'u-17' } });
}

export function makeWrongClients(): void {
  // @ts-expect-error the address is missing
  new Trackside({ apiKey: 'key' });
  // @ts-expect-error the key is missing
  new Trackside({ url: 'https://trackside.shop.example' });
  // @ts-expect-error a key that may be undefined has to be looked at first
  new Trackside({ url: 'https://trackside.shop.example', apiKey: undefined as string | undefined });
  // @ts-expect-error the option is named timeoutMs
  new Trackside({ url: 'https://trackside.shop.example', apiKey: 'key', timeout: 5 });
}

export async function sendRightly(trackside: Trackside): Promise<Tracker> {
  await trackside.pageView(metrics);
  await trackside.event('Order', [], metrics);
  await trackside.event('Order', [{ Name: 'plan', Value: 'pro' }], metrics);
  await trackside.event('Order', [{ Name: 'plan', Value: 'pro' }] as const, metrics);
  await trackside.event('Order', { plan: 'pro', seats: 5, isTrial: false }, metrics);
  trackside.trackPageView({ ...metrics, Identify: { ClientId: null } });
  trackside.trackEvent('Order', {}, metrics);
  return trackside;
}

/** Distinguishes all outcomes, and shows that there is no other. */
export function readResult(result: Result): number {
  switch (result.kind) {
    case 'accepted':
    case 'malformed':
    case 'unauthorized':
      return result.code;
    case 'contingent-used-up':
      return result.retryAfterMs;
    case 'unavailable':
      return result.retryAfterMs ?? 0;
    default:
      return result satisfies never;
  }
}
