import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Channel, channelNames } from '@trackside/contract/stats/channels.ts';
import { createDescriber } from './create-describer.ts';

const describeRecord = createDescriber({ cacheEntries: 100 });

/** Each row has the query of a page, the referrer, and the channel by the first rule that applies. */
const cases: [query: string, referrer: string | null, channel: Channel][] = [
  ['', null, 'direct'],
  ['ref=', null, 'direct'],
  ['', 'https://example.com/', 'internal'],
  ['utm_campaign=Cross-Network&utm_source=google&utm_medium=cpc', null, 'crossNetwork'],
  ['utm_source=google&utm_medium=cpc&utm_campaign=spring-shopping', null, 'paidShopping'],
  ['utm_source=amazon&utm_medium=ppc', null, 'paidShopping'],
  ['utm_source=google&utm_medium=cpc&utm_campaign=workshop', null, 'paidSearch'],
  ['utm_source=bing&utm_medium=PPC', null, 'paidSearch'],
  ['utm_source=google&utm_medium=cpm', null, 'paidSearch'],
  ['utm_source=acme&utm_medium=paid-search', null, 'paidSearch'],
  ['utm_source=linkedin&utm_medium=paidsocial', null, 'paidSocial'],
  ['utm_source=acme&utm_medium=paid_social', null, 'paidSocial'],
  ['utm_source=google&utm_medium=paid_social', null, 'paidSocial'],
  ['utm_source=tiktok&utm_medium=retargeting', null, 'paidSocial'],
  ['ttclid=1', null, 'paidSocial'],
  ['utm_source=snapads', null, 'paidSocial'],
  ['utm_source=acme_ads', null, 'paid'],
  ['utm_source=beads', null, 'referral'],
  ['utm_source=acme&utm_medium=native-ad', null, 'paid'],
  ['utm_source=youtube&utm_medium=cpv', null, 'paidVideo'],
  ['gclid=1', 'https://www.youtube.com/', 'paidVideo'],
  ['utm_source=google&utm_medium=display', null, 'display'],
  ['utm_source=google&utm_medium=display&gclid=1', null, 'display'],
  ['utm_source=acme&utm_medium=banner', null, 'display'],
  ['utm_source=acme&utm_medium=interstitial', null, 'display'],
  ['utm_source=acme&utm_medium=cpm', null, 'display'],
  ['utm_source=acme&utm_medium=cpc', null, 'paid'],
  ['utm_source=acme&utm_medium=mcp', null, 'unassigned'],
  ['utm_source=newsletter&utm_medium=sponsored', null, 'paid'],
  ['dclid=1', null, 'paid'],
  ['tblci=1', null, 'paid'],
  ['utm_source=facebook&utm_medium=email', null, 'email'],
  ['utm_source=acme&utm_medium=email&utm_campaign=shop-news', null, 'email'],
  ['utm_source=acme&utm_medium=affiliate', null, 'affiliates'],
  ['utm_source=acme&utm_medium=Affiliates', 'https://blog.org/', 'affiliates'],
  ['utm_source=spotify&utm_medium=audio', null, 'audio'],
  ['utm_source=acme&utm_medium=sms', null, 'sms'],
  ['utm_source=SMS', null, 'sms'],
  ['utm_source=acme&utm_medium=web-push', null, 'push'],
  ['utm_source=acme&utm_medium=push-notification', null, 'push'],
  ['utm_source=firebase', null, 'push'],
  ['utm_source=acme&utm_medium=mobile', null, 'push'],
  ['utm_source=chatgpt.com&utm_medium=referral', null, 'ai'],
  ['utm_source=acme&utm_campaign=e-shop', null, 'shopping'],
  ['utm_campaign=eshop', null, 'shopping'],
  ['utm_campaign=workshop', null, 'unassigned'],
  ['utm_source=acme&utm_medium=social-media', null, 'social'],
  ['utm_source=acme&utm_medium=video', null, 'video'],
  ['utm_source=yt', null, 'video'],
  ['utm_source=acme&utm_medium=organic', null, 'search'],
  ['utm_source=google&utm_medium=referral', null, 'search'],
  ['', 'https://mail.google.com/', 'email'],
  ['utm_source=acme&utm_medium=referral', null, 'referral'],
  ['utm_medium=app', null, 'referral'],
  ['utm_source=acme', null, 'referral'],
  ['ref=acme', null, 'referral'],
  ['utm_source=acme&utm_medium=qr', 'https://blog.org/', 'referral'],
  ['utm_source=acme&utm_medium=qr', null, 'unassigned'],
  ['utm_medium=qr', null, 'unassigned'],
  ['utm_content=a', null, 'unassigned'],
  ['utm_campaign=posters', 'https://example.com/', 'unassigned'],
  ['utm_source=jane%40doe.org', null, 'unassigned'],
];

describe('a page with', () => {
  for (const [query, referrer, channel] of cases) {
    test(`${query || 'no tag'} from ${referrer ?? 'nowhere'} counts as ${channel}`, () => {
      const pageUrl = `https://example.com/?${query}`;
      const seen = describeRecord({ userAgent: '', pageUrl, referrer, domain: 'example.com' });
      assert.equal(seen.channel, channel);
    });
  }
});

test('every channel has a case', () => {
  const seen = new Set<string>(cases.map(([, , channel]) => channel));
  assert.deepEqual(
    Object.keys(channelNames).filter((channel) => !seen.has(channel)),
    [],
  );
});

test('docs/channels.md lists the rule of every channel', () => {
  const text = readFileSync(new URL('../../../../docs/channels.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| \d+ +\| `(\w+)` +\| (.+?) +\| /gm)];
  assert.deepEqual(Object.fromEntries(rows.map(([, value, name]) => [value, name])), { ...channelNames });
});
