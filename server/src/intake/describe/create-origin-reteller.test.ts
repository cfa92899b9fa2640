import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredOrigin } from '../../records/stored-origin.ts';
import { createDescriber, type Described } from './create-describer.ts';
import { createOriginReteller } from './create-origin-reteller.ts';

const domain = 'example.com';
const describeRecord = createDescriber({ cacheEntries: 1000 });
const retell = createOriginReteller({ cacheEntries: 100 });

function toStored(described: Described): StoredOrigin {
  const { host, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, source, channel } = described;
  const refs = described.query
    .split('&')
    .filter((pair) => /^(?:ref|source)=/i.test(pair))
    .join('&');
  return {
    host,
    utmSource,
    utmMedium,
    utmCampaign,
    utmTerm,
    utmContent,
    refs,
    referrerProtocol: /^[^/]+:/.exec(described.referrer)?.[0] ?? '',
    referrerHost: described.referrerHost,
    source,
    channel,
  };
}

const tags = ['', 'google', 'fb', 'acme', 'newsletter', 'youtube', 'jane%40doe.org', 'openai', 'amazon'];
const mediums = ['', 'cpc', 'email', 'display', 'organic', 'qr', 'paid_social', 'cpm'];
const clicks = ['', 'gclid=1', 'fbclid=1', 'ttclid=1', 'dclid=1', 'tblci=1', 'srsltid=1'];
const others = [
  '',
  'ref=hn',
  'source=acme&ref=',
  'utm_campaign=shop',
  'utm_campaign=cross-network',
  'utm_term=a',
];
const referrers = [
  null,
  'https://www.google.de/',
  'https://accounts.google.com/',
  'https://example.com/a',
  'https://blog.org/',
  'https://t.co/x',
  'https://googleads.g.doubleclick.net/',
  'android-app://com.google.android.gm/',
  'ios-app://544007664/',
  'http://192.0.2.1/',
];

test('changes nothing in records of this version', () => {
  let records = 0;
  for (const referrer of referrers) {
    for (const tag of tags) {
      for (const medium of mediums) {
        for (const click of clicks) {
          for (const other of others) {
            const utm = [tag && `utm_source=${tag}`, medium && `utm_medium=${medium}`];
            const pageUrl = `https://example.com/?${[...utm, click, other].filter(Boolean).join('&')}`;
            const described = describeRecord({ userAgent: '', pageUrl, referrer, domain });
            const { source, channel } = described;
            const told = retell(toStored(described), domain);
            assert.deepEqual(told, { source, channel }, `${pageUrl} from ${referrer}`);
            records += 1;
          }
        }
      }
    }
  }
  assert.equal(records, 30_240);
});

const nothing: StoredOrigin = {
  host: 'example.com',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
  refs: '',
  referrerProtocol: '',
  referrerHost: '',
  source: '',
  channel: 'direct',
};
const from = (referrerHost: string, source: string, channel: string, referrerProtocol = 'https:') => ({
  ...nothing,
  referrerProtocol,
  referrerHost,
  source,
  channel,
});

describe('a record of an earlier version', () => {
  const cases: [name: string, stored: StoredOrigin, channel: string, source: string][] = [
    ['without any trace', nothing, 'direct', ''],
    ['from a search engine', from('google.com', 'Google', 'search'), 'search', 'Google'],
    ['from a sign-in', from('accounts.google.com', 'Google', 'search'), 'referral', 'Google sign-in'],
    ['from a finance page', from('finance.yahoo.com', 'Yahoo', 'search'), 'referral', 'Yahoo Finance'],
    ['from an ad network', from('doubleclick.net', 'Google', 'search'), 'paid', 'Google Ads'],
    ['from a video', from('youtube.com', 'YouTube', 'social'), 'video', 'YouTube'],
    ['from a new assistant', from('chat.z.ai', 'chat.z.ai', 'referral'), 'ai', 'Z.ai'],
    ['from mail', from('deref-gmx.net', 'deref-gmx.net', 'referral'), 'email', 'GMX'],
    ['from the search of WEB.DE', from('suche.web.de', 'GMX Search', 'search'), 'search', 'WEB.DE'],
    ['from an app', from('544007664', '544007664', 'referral', 'ios-app:'), 'video', 'YouTube'],
    ['from within', from('example.com', '', 'internal'), 'internal', ''],
    ['from within another domain', from('old.example', '', 'internal'), 'internal', ''],
    [
      'from a site that is the website itself by now',
      from('shop.example.com', 'shop.example.com', 'referral'),
      'referral',
      'shop.example.com',
    ],
    ['with a click on an ad', { ...nothing, source: 'Google', channel: 'paid' }, 'paidSearch', 'Google'],
    [
      'with a click on an ad of TikTok',
      { ...nothing, source: 'TikTok', channel: 'paid' },
      'paidSocial',
      'TikTok',
    ],
    ['with a shared link', { ...nothing, source: 'Facebook', channel: 'social' }, 'social', 'Facebook'],
    ['with a click on an ad of a search', from('google.de', 'Google', 'paid'), 'paidSearch', 'Google'],
    ['with a click on some ad', from('blog.org', 'blog.org', 'paid'), 'paid', 'blog.org'],
    [
      'with tags of an ad',
      { ...nothing, utmSource: 'fb', utmMedium: 'cpc', source: 'Facebook', channel: 'paid' },
      'paidSocial',
      'Facebook',
    ],
    ['with a campaign alone', { ...nothing, utmCampaign: 'posters', channel: 'referral' }, 'unassigned', ''],
    [
      'with utm_source=openai',
      { ...nothing, utmSource: 'openai', source: 'openai', channel: 'referral' },
      'ai',
      'ChatGPT',
    ],
    [
      'with ref',
      { ...nothing, refs: 'ref=hn', source: 'Hacker News', channel: 'social' },
      'social',
      'Hacker News',
    ],
  ];
  for (const [name, stored, channel, source] of cases) {
    test(`${name} counts as ${channel}${source && ` by ${source}`}, even when it is applied twice`, () => {
      const once = retell(stored, domain);
      assert.deepEqual(once, { source, channel });
      assert.deepEqual(retell({ ...stored, ...once }, domain), once);
    });
  }
});

test("recognizes the website's own pages, whether their host is stored in punycode or in letters", () => {
  const tagged = { ...from('xn--mller-kva.example', '', 'unassigned'), utmCampaign: 'spring' };
  for (const host of ['xn--mller-kva.example', 'müller.example:8080'])
    assert.equal(retell({ ...tagged, host }, domain).source, '', host);
  assert.equal(retell({ ...tagged, host: 'müller.test' }, domain).source, 'xn--mller-kva.example');
});
