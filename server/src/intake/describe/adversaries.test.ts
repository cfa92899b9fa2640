import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDescriber } from './create-describer.ts';

const domain = 'example.com';
const plainPage = 'https://example.com/';

type Run = (describeRecord: ReturnType<typeof createDescriber>) => void;

/**
 * Returns the best of several runs, each with an empty cache: the cost of the work on a machine that is not
 * busy with anything else. A run that took less than `enoughMs` is the last one.
 */
function bestMs(run: Run, { runs, enoughMs }: { runs: number; enoughMs: number }): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs && best >= enoughMs; i += 1) {
    const describeRecord = createDescriber({ cacheEntries: 10 });
    // The list of crawlers is read once per process, and is not part of the measurement.
    describeRecord({ userAgent: 'unheard-of/1.0', pageUrl: plainPage, referrer: null, domain });
    const startMs = performance.now();
    run(describeRecord);
    best = Math.min(best, performance.now() - startMs);
  }
  return best;
}

/** Returns the cost of this many ordinary records without the cache. Nasty records are compared with it. */
function ordinaryMs(records: number): number {
  const run: Run = (describeRecord) => {
    for (let i = 0; i < records; i += 1) {
      const system = 'Windows NT 10.0; Win64; x64';
      const userAgent = `Mozilla/5.0 (${system}) AppleWebKit/537.36 Chrome/${i}.0.0.0 Safari/537.36`;
      const pageUrl = `https://example.com/articles/${i}?page=${i}&sort=new`;
      describeRecord({ userAgent, pageUrl, referrer: `https://news.example.org/${i}`, domain });
    }
  };
  return bestMs(run, { runs: 6, enoughMs: 0 });
}

const hundredMs = lazily(() => ordinaryMs(100));
const threeHundredMs = lazily(() => ordinaryMs(300));

function lazily(measure: () => number): () => number {
  let measured: number | undefined;
  return () => (measured ??= measure());
}

const agents: Record<string, string> = {
  'one letter': 'a'.repeat(2048),
  digits: `version/${'1'.repeat(2040)}`,
  'dots and digits': `Version/${'1.'.repeat(1000)}x`,
  'a version again and again': 'version/1_'.repeat(200),
  spaces: ' '.repeat(2048),
  'open brackets': '('.repeat(2048),
  'products without end': 'a/1.0 '.repeat(340),
  'slashes and spaces': '/ '.repeat(1024),
  'semicolons and tabs': ';\ta'.repeat(680),
  'at signs': '@a'.repeat(1024),
  'words of a robot': 'bot-'.repeat(512),
  'a Mac of endless version': `macintosh mac os x ${'1.1_'.repeat(500)}!`,
  'half a Facebook': 'FBAN/'.repeat(400),
  'Google without end': 'google'.repeat(340),
  'likes without end': 'like gptbot '.repeat(170),
  'libraries without end': 'okhttp/1 '.repeat(220),
  'Brave without end': 'Brave Chrome/'.repeat(150),
  'one endless word': `Acme/${'-'.repeat(2040)}`,
};

for (const [name, userAgent] of Object.entries(agents)) {
  test(`reads a user agent of ${name} at the cost of a hundred ordinary ones at most`, () => {
    const mostMs = hundredMs();
    const run: Run = (describeRecord) =>
      describeRecord({ userAgent, pageUrl: plainPage, referrer: null, domain });
    const ms = bestMs(run, { runs: 20, enoughMs: mostMs });
    assert.ok(ms < mostMs, `took ${ms.toFixed(2)} ms, a hundred ordinary ones ${mostMs.toFixed(2)} ms`);
  });
}

const addresses: Record<string, string> = {
  'at signs': 'a@'.repeat(4000),
  'layers of encoding': '%25'.repeat(2600),
  'dots and digits': '1.'.repeat(4000),
  colons: '1:'.repeat(4000),
  'equal signs': '=a'.repeat(4000),
  'starts of tokens': 'eyJ'.repeat(2600),
  'almost tokens': `eyJ${'a'.repeat(20)}-`.repeat(330),
  'almost hashes': `${'aA1'.repeat(10)}-`.repeat(250),
  'capital letters': 'A'.repeat(8000),
  'camel case': 'aB'.repeat(4000),
  'empty parameters': 'a&'.repeat(4000),
  'short segments': 'a./'.repeat(2600),
};

for (const [name, nasty] of Object.entries(addresses)) {
  test(`cleans an address of ${name} at the cost of three hundred ordinary ones at most`, () => {
    const mostMs = threeHundredMs();
    for (const start of ['', '?x=', '?', '?utm_source=']) {
      const url = `https://example.com/${start}${nasty}`.slice(0, 8192);
      const run: Run = (describeRecord) =>
        describeRecord({ userAgent: '', pageUrl: url, referrer: url, domain });
      const ms = bestMs(run, { runs: 20, enoughMs: mostMs });
      assert.ok(ms < mostMs, `took ${ms.toFixed(2)} ms of ${mostMs.toFixed(2)} ms behind ${start || '/'}`);
    }
  });
}
