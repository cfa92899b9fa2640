import type { TrackFault } from '../../faults/track-fault.ts';
import type { DiskKeep } from '../../queue/disk-keep.ts';
import { describeOption } from './describe-option.ts';
import { readRelease } from './read-release.ts';
import type { TracksideOptions } from './trackside-options.ts';

/**
 * Fills in the defaults. Throws on a mistake when the program starts. Messages never repeat values, because
 * key and url may have been swapped.
 */
export function readOptions(options: TracksideOptions) {
  if (!isObject(options)) {
    throw new Error(`Trackside: options: expected { url, apiKey }, got ${describeOption(options)}.`);
  }
  const { url, apiKey, timeoutMs, retries, queue = {} } = options;
  if (!isObject(queue)) {
    throw new Error(`Trackside: queue: expected an object, got ${describeOption(queue)}.`);
  }
  return {
    url: readUrl(url),
    apiKey: readApiKey(apiKey),
    release: readRelease(options.release),
    // Limited so that even a slow repeat arrives within the hour in which the server remembers the first
    // attempt.
    timeoutMs: readNumber('timeoutMs', timeoutMs, { fallback: 10_000, min: 1, max: 120_000 }),
    retries: readNumber('retries', retries, { fallback: 3, min: 0, max: 10 }),
    fetch: readFunction('fetch', options.fetch),
    onError: readFunction('onError', options.onError) ?? writeToConsole,
    waitUntil: readFunction('waitUntil', options.waitUntil),
    queue: {
      maxRecords: readNumber('queue.maxRecords', queue.maxRecords, { fallback: 10_000, min: 1, max: 1e7 }),
      maxBytes: readNumber('queue.maxBytes', queue.maxBytes, {
        fallback: 64 * 2 ** 20,
        min: 2 ** 20,
        max: 2 ** 40,
      }),
      maxAgeMs: readNumber('queue.maxAgeMs', queue.maxAgeMs, { fallback: dayMs, min: 1000, max: 30 * dayMs }),
      concurrency: readNumber('queue.concurrency', queue.concurrency, { fallback: 4, min: 1, max: 1000 }),
      disk: readDisk(queue.disk),
    },
  };
}

/** The default for onError. Records must not be lost silently just because the program did not ask. */
function writeToConsole({ message, records }: TrackFault): void {
  console.error(`Trackside: ${message} (${records} ${records === 1 ? 'record' : 'records'})`);
}

const dayMs = 24 * 60 * 60 * 1000;

const isItSet = ' Is its environment variable set?';

function readUrl(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const hint = value === '' || value === undefined ? isItSet : '';
    throw new Error(
      'Trackside: url: expected an http or https URL such as https://trackside.example, ' +
        `got ${typeof value === 'string' && value !== '' ? 'something else' : describeOption(value)}.${hint}`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(
      'Trackside: url: expected a URL without a user name or password. Set the key with apiKey.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Error('Trackside: url: expected a URL without ? or #, because paths are appended to it.');
  }
  return url.href.replace(/\/+$/, '');
}

function readApiKey(value: unknown): string {
  const expected = "Trackside: apiKey: expected the website's API key";
  if (value === '' || value === undefined)
    throw new Error(`${expected}, got ${describeOption(value)}.${isItSet}`);
  if (typeof value !== 'string') throw new Error(`${expected}, got ${describeOption(value)}.`);
  if (/^(bearer|basic|authorization:?)\s/i.test(value)) {
    throw new Error(
      `${expected} alone, got something in front of it: remove "Bearer", "Basic" or "Authorization:".`,
    );
  }
  if (!/^[!-~]+$/.test(value)) {
    throw new Error(`${expected}, got text with whitespace or with characters that API keys don't have.`);
  }
  return value;
}

function readNumber(
  name: string,
  value: number | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const got = typeof value === 'number' ? String(value) : describeOption(value);
  throw new Error(`Trackside: ${name}: expected a whole number from ${min} to ${max}, got ${got}.`);
}

function readFunction<F>(name: string, value: F | undefined): F | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw new Error(`Trackside: ${name}: expected a function, got ${describeOption(value)}.`);
}

function readDisk(value: DiskKeep | undefined): DiskKeep | undefined {
  if (value === undefined || (isObject(value) && typeof value.claim === 'function')) return value;
  throw new Error(
    'Trackside: queue.disk: expected keepOnDisk(folder) from @trackside/sdk/disk, ' +
      `got ${describeOption(value)}.`,
  );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
