import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDescriber } from './create-describer.ts';
import { knownSources } from './known-sources.ts';

const describeRecord = createDescriber({ cacheEntries: 100 });

function originOf(pageUrl: string, referrer: string | null): string[] {
  const { channel, source } = describeRecord({ userAgent: '', pageUrl, referrer, domain: 'example.com' });
  return [channel, source];
}

describe('a referrer', () => {
  const cases: [referrer: string, channel: string, source: string][] = [
    // Of the many things that a company does, only its search engine is search.
    ['https://www.google.com/', 'search', 'Google'],
    ['https://google.co.jp/', 'search', 'Google'],
    ['https://images.google.fr/', 'search', 'Google'],
    ['https://cse.google.com/cse', 'search', 'Google'],
    ['https://scholar.google.de/', 'search', 'Google'],
    ['https://accounts.google.com/signin', 'referral', 'Google sign-in'],
    ['https://accounts.google.de/', 'referral', 'Google sign-in'],
    ['https://accounts.youtube.com/', 'referral', 'Google sign-in'],
    ['https://docs.google.com/document/d/1', 'referral', 'Google Docs'],
    ['https://drive.google.com/', 'referral', 'Google Drive'],
    ['https://sites.google.com/view/x', 'referral', 'Google Sites'],
    ['https://calendar.google.com/', 'referral', 'Google Calendar'],
    ['https://meet.google.com/', 'referral', 'Google Meet'],
    ['https://classroom.google.com/', 'referral', 'Google Classroom'],
    ['https://play.google.com/store', 'referral', 'Google Play'],
    ['https://translate.google.com/', 'referral', 'Google Translate'],
    ['https://translate.google.co.uk/', 'referral', 'Google Translate'],
    ['https://analytics.google.com/', 'referral', 'Google Analytics'],
    ['https://console.cloud.google.com/', 'referral', 'Google Cloud'],
    ['https://search.google.com/search-console', 'referral', 'Google Search Console'],
    ['https://keep.google.com/', 'referral', 'keep.google.com'],
    ['https://storage.googleapis.com/x', 'referral', 'Google Cloud'],
    ['https://g.co/x', 'referral', 'Google short links'],
    ['https://finance.yahoo.com/', 'referral', 'Yahoo Finance'],
    ['https://news.yahoo.co.jp/', 'referral', 'Yahoo News'],
    ['https://auctions.yahoo.co.jp/', 'referral', 'auctions.yahoo.co.jp'],
    ['https://www.yahoo.com/', 'search', 'Yahoo'],
    ['https://de.search.yahoo.com/', 'search', 'Yahoo'],
    ['https://r.search.yahoo.com/', 'search', 'Yahoo'],
    ['https://disk.yandex.ru/', 'referral', 'disk.yandex.ru'],
    ['https://market.yandex.ru/', 'shopping', 'Yandex Market'],
    ['https://yabs.yandex.ru/', 'paid', 'Yandex Direct'],
    ['https://pan.baidu.com/', 'referral', 'pan.baidu.com'],
    ['https://tieba.baidu.com/', 'social', 'Tieba'],
    ['https://m.baidu.com/', 'search', 'Baidu'],
    ['https://m.search.naver.com/', 'search', 'Naver'],
    ['https://blog.naver.com/x', 'social', 'Naver Blog'],
    ['https://ads.bing.com/', 'referral', 'ads.bing.com'],
    ['https://cn.bing.com/', 'search', 'Bing'],
    // Ads on other sites
    ['https://googleads.g.doubleclick.net/', 'paid', 'Google Ads'],
    ['https://www.googleadservices.com/pagead/aclk', 'paid', 'Google Ads'],
    ['https://tpc.googlesyndication.com/', 'paid', 'Google Ads'],
    ['https://trc.taboola.com/', 'paid', 'Taboola'],
    ['https://paid.outbrain.com/', 'paid', 'Outbrain'],
    // Mail
    ['https://deref-gmx.net/mail/client/x', 'email', 'GMX'],
    ['https://deref-mail.com/', 'email', 'mail.com'],
    ['https://email.seznam.cz/', 'email', 'Seznam Email'],
    ['https://web.de/', 'email', 'WEB.DE'],
    ['https://suche.web.de/web', 'search', 'WEB.DE'],
    ['https://suche.gmx.net/web', 'search', 'GMX'],
    // AI assistants
    ['https://chat.z.ai/', 'ai', 'Z.ai'],
    ['https://openrouter.ai/chat', 'ai', 'OpenRouter'],
    // Apps: Android packages, ids of the App Store, bundle ids, and packages that someone took for a host
    ['android-app://com.facebook.katana/', 'social', 'Facebook'],
    ['android-app://com.facebook.lite', 'social', 'Facebook'],
    ['android-app://com.google.android.youtube/', 'video', 'YouTube'],
    ['android-app://com.Slack/', 'social', 'Slack'],
    ['ios-app://284882215/', 'social', 'Facebook'],
    ['ios-app://544007664/vnd.youtube/watch', 'video', 'YouTube'],
    ['ios-app://com.google.ios.youtube/', 'video', 'YouTube'],
    ['ios-app://389801252/', 'social', 'Instagram'],
    ['ios-app://333903271/', 'social', 'X'],
    ['ios-app://6448311069/', 'ai', 'ChatGPT'],
    ['ios-app://1/', 'referral', '1'],
    ['https://com.facebook.katana/', 'social', 'Facebook'],
    // Video and shopping
    ['https://www.youtube.com/watch?v=1', 'video', 'YouTube'],
    ['https://vimeo.com/1', 'video', 'Vimeo'],
    ['https://www.twitch.tv/', 'video', 'Twitch'],
    ['https://www.amazon.co.uk/dp/1', 'shopping', 'Amazon'],
    ['https://aws.amazon.com/', 'referral', 'aws.amazon.com'],
    ['https://www.ebay.de/itm/1', 'shopping', 'eBay'],
    ['https://www.etsy.com/', 'shopping', 'Etsy'],
    ['https://shopping.google.com/', 'shopping', 'Google Shopping'],
  ];
  for (const [referrer, channel, source] of cases) {
    test(`${referrer} counts as ${channel} by ${source}`, () =>
      assert.deepEqual(originOf('https://example.com/', referrer), [channel, source]));
  }
});

describe('a page with', () => {
  const cases: [query: string, channel: string, source: string][] = [
    ['utm_source=openai', 'ai', 'ChatGPT'],
    ['utm_source=openrouter.ai', 'ai', 'OpenRouter'],
    ['utm_source=z.ai', 'ai', 'Z.ai'],
    ['utm_source=accounts.google.com', 'referral', 'Google sign-in'],
    ['utm_source=com.google.android.youtube', 'video', 'YouTube'],
    ['utm_source=email', 'email', 'Email'],
    ['utm_source=WEB.DE', 'email', 'WEB.DE'],
  ];
  for (const [query, channel, source] of cases) {
    test(`${query} counts as ${channel} by ${source}`, () =>
      assert.deepEqual(originOf(`https://example.com/?${query}`, null), [channel, source]));
  }
});

test('no host, app or alias belongs to two sources', () => {
  const keys = knownSources.flatMap(({ hosts = [], exactHosts = [], apps = [], aliases = [] }) => [
    ...hosts,
    ...exactHosts,
    ...apps,
    ...aliases,
  ]);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
  assert.deepEqual(
    keys.filter((key) => key !== key.toLowerCase()),
    [],
  );
});
