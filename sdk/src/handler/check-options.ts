import { describeOption } from '../client/options/describe-option.ts';

/** The options as they may come from JavaScript. */
type Options = Readonly<Record<string, unknown>>;

const functions = ['clientId', 'ignore', 'onError', 'peer', 'after'];

/** Throws if a handler could not work with its options, because it would record nothing without a word. */
export function checkOptions(options: unknown): void {
  if (!isObject(options))
    refuse('options', 'an object with the client, as in { trackside: client }', options);
  const { trackside, location, rateLimit, respectDoNotTrack } = options;
  if (!isObject(trackside) || !isFunction(trackside.trackPageView) || !isFunction(trackside.trackEvent)) {
    refuse('trackside', 'the client, as in { trackside: new Trackside({ url, apiKey }) }', trackside);
  }
  for (const name of functions) {
    if (options[name] !== undefined && !isFunction(options[name])) refuse(name, 'a function', options[name]);
  }
  if (location !== undefined && ![location].flat().every(isFunction)) {
    refuse('location', 'a function such as cloudflare, or a list of them', location);
  }
  if (rateLimit !== undefined && rateLimit !== false && !hasNumber(rateLimit)) {
    refuse('rateLimit', 'a limit such as { perMinute: 60 }, or false for no limit', rateLimit);
  }
  if (respectDoNotTrack !== undefined && typeof respectDoNotTrack !== 'boolean') {
    refuse('respectDoNotTrack', 'true or false', respectDoNotTrack);
  }
}

function refuse(name: string, expected: string, value: unknown): never {
  throw new Error(`${name}: expected ${expected}, got ${describeOption(value)}`);
}

const isFunction = (value: unknown) => typeof value === 'function';
const isObject = (value: unknown): value is Options => typeof value === 'object' && value !== null;
const hasNumber = (rateLimit: unknown) => isObject(rateLimit) && typeof rateLimit.perMinute === 'number';
