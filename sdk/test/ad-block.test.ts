import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptText } from '../src/script/script-text.ts';
import { matchesAdBlockRule } from './ad-block-match.ts';
import { adBlockRules } from './ad-block-rules.ts';

const findRules = (address: string) => adBlockRules.filter((rule) => matchesAdBlockRule(rule, address));

const fitting: readonly [rule: string, address: string][] = [
  ['/analytics.', 'https://shop.example/js/Analytics.min.js'],
  ['/collect?', 'https://shop.example/g/collect?v=2'],
  ['/track/*', 'https://shop.example/track/view'],
  ['||google-analytics.com^', 'https://www.google-analytics.com/g'],
  ['||google-analytics.com^', 'https://google-analytics.com:443/'],
  ['||plausible.io/js/', 'https://plausible.io/js/script.js'],
  ['|https://shop.', 'https://shop.example/'],
  ['/api/event|', 'https://shop.example/api/event'],
  ['/analytics/ping^', 'https://shop.example/analytics/ping'],
  ['/analytics/ping^', 'https://shop.example/analytics/ping?now'],
  ['://stats.*/script.js', 'https://stats.shop.example/script.js'],
  ['/tag.js$script,third-party', 'https://cdn.example/tag.js'],
];
for (const [rule, address] of fitting) {
  test(`the rule ${rule} matches ${address}`, () => assert.ok(matchesAdBlockRule(rule, address)));
}

const unfitting: readonly [rule: string, address: string][] = [
  ['/collect?', 'https://shop.example/collect'],
  ['/track/*', 'https://shop.example/soundtrack/view'],
  ['||google-analytics.com^', 'https://google-analytics.com.shop.example/'],
  ['||google-analytics.com^', 'https://not-google-analytics.com/'],
  ['||google-analytics.com^', 'https://shop.example/?from=google-analytics.com'],
  ['|shop.example', 'https://shop.example/'],
  ['/api/event|', 'https://shop.example/api/event/5'],
  ['/ping^', 'https://shop.example/ping-pong'],
  ['.js', 'https://shop.example/xjs'],
];
for (const [rule, address] of unfitting) {
  test(`the rule ${rule} does not match ${address}`, () => assert.ok(!matchesAdBlockRule(rule, address)));
}

const caught = [
  'https://plausible.io/js/script.js',
  'https://shop.example/js/plausible.js',
  'https://shop.example/api/event',
  'https://cloud.umami.is/script.js',
  'https://shop.example/umami.js',
  'https://stats.shop.example/script.js',
  'https://shop.example/matomo.php',
  'https://www.googletagmanager.com/gtag/js?id=G-1',
  'https://shop.example/g/collect?v=2',
];
for (const address of caught) {
  test(`the list catches ${address}`, () => assert.notDeepEqual(findRules(address), []));
}

const ours = ['https://shop.example/side', 'https://www.shop.example/side?v=2', 'http://127.0.0.1:8080/side'];
for (const address of ours) {
  test(`no rule matches ${address}, where the script comes from and sends to`, () =>
    assert.deepEqual(findRules(address), []));
}

for (const respectDoNotTrack of [false, true]) {
  test(`the script contains no address, and no text that a rule matches (respectDoNotTrack: ${respectDoNotTrack})`, () => {
    const texts = [...scriptText({ respectDoNotTrack }).matchAll(/(["'`])(.*?)\1/g)].map(
      ([, , text]) => text,
    );
    assert.ok(texts.length > 5);
    // A single slash separates parts of the page's own address.
    assert.deepEqual(
      texts.filter((text) => text !== '/' && text?.includes('/')),
      [],
    );
    assert.deepEqual(
      texts.flatMap((text) => findRules(`https://shop.example/${text}`)),
      [],
    );
  });
}
