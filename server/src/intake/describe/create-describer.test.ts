import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDescriber } from './create-describer.ts';

const describeRecord = createDescriber({ cacheEntries: 100 });
const visit = (pageUrl: string, referrer: string | null = null) =>
  describeRecord({ userAgent: '', pageUrl, referrer, domain: 'example.com' });

describe('a referrer', () => {
  const cases: [referrer: string | null, channel: string, source: string][] = [
    [null, 'direct', ''],
    ['https://www.google.com/', 'search', 'Google'],
    ['https://www.google.de/url?q=x', 'search', 'Google'],
    ['https://www.google.co.uk/', 'search', 'Google'],
    ['https://google.com.br/', 'search', 'Google'],
    ['https://google.evil.com/', 'referral', 'google.evil.com'],
    ['https://notgoogle.com/', 'referral', 'notgoogle.com'],
    ['https://news.google.com/', 'referral', 'Google News'],
    ['https://mail.google.com/mail/u/0/', 'email', 'Gmail'],
    ['https://gemini.google.com/', 'ai', 'Gemini'],
    ['https://www.bing.com/', 'search', 'Bing'],
    ['https://duckduckgo.com/', 'search', 'DuckDuckGo'],
    ['https://yandex.ru/search/', 'search', 'Yandex'],
    ['https://yandex.com.tr/', 'search', 'Yandex'],
    ['https://mail.yandex.ru/', 'email', 'Yandex Mail'],
    ['https://search.yahoo.co.jp/', 'search', 'Yahoo'],
    ['https://mail.yahoo.com/', 'email', 'Yahoo Mail'],
    ['https://search.brave.com/', 'search', 'Brave Search'],
    ['https://kagi.com/search', 'search', 'Kagi'],
    ['https://chatgpt.com/', 'ai', 'ChatGPT'],
    ['https://chat.openai.com/', 'ai', 'ChatGPT'],
    ['https://www.perplexity.ai/search', 'ai', 'Perplexity'],
    ['https://claude.ai/chat', 'ai', 'Claude'],
    ['https://copilot.microsoft.com/', 'ai', 'Copilot'],
    ['https://chat.mistral.ai/', 'ai', 'Mistral'],
    ['https://chat.deepseek.com/', 'ai', 'DeepSeek'],
    ['https://grok.com/', 'ai', 'Grok'],
    ['https://l.facebook.com/l.php?u=x', 'social', 'Facebook'],
    ['https://m.facebook.com/', 'social', 'Facebook'],
    ['https://t.co/abc', 'social', 'X'],
    ['https://x.com/', 'social', 'X'],
    ['https://lnkd.in/abc', 'social', 'LinkedIn'],
    ['https://out.reddit.com/', 'social', 'Reddit'],
    ['https://old.reddit.com/r/selfhosted/', 'social', 'Reddit'],
    ['https://news.ycombinator.com/item?id=1', 'social', 'Hacker News'],
    ['https://www.pinterest.de/', 'social', 'Pinterest'],
    ['https://outlook.live.com/', 'email', 'Outlook'],
    ['https://eur02.safelinks.protection.outlook.com/?url=x', 'email', 'Outlook'],
    ['https://github.com/a/b', 'referral', 'GitHub'],
    ['https://www.some-blog.org/post', 'referral', 'some-blog.org'],
    ['android-app://com.google.android.gm/', 'email', 'Gmail'],
    ['android-app://com.google.android.googlequicksearchbox/https/www.google.com', 'search', 'Google'],
    ['android-app://com.linkedin.android/', 'social', 'LinkedIn'],
    ['android-app://com.slack/', 'social', 'Slack'],
    ['android-app://org.telegram.messenger/', 'social', 'Telegram'],
    ['android-app://com.acme.reader/', 'referral', 'com.acme.reader'],
    ['https://example.com/pricing', 'internal', ''],
    ['https://www.example.com/', 'internal', ''],
    ['https://EXAMPLE.com./', 'internal', ''],
    ['https://shop.example.com/cart', 'internal', ''],
    ['https://notexample.com/', 'referral', 'notexample.com'],
    ['https://example.com.evil.net/', 'referral', 'example.com.evil.net'],
    ['http://192.0.2.44/from', 'referral', 'IP address'],
    ['http://[2001:db8::44]/from', 'referral', 'IP address'],
  ];
  for (const [referrer, channel, source] of cases) {
    test(`${referrer ?? 'that is missing'} counts as ${channel}${source && ` by ${source}`}`, () => {
      const seen = visit('https://example.com/', referrer);
      assert.deepEqual([seen.channel, seen.source], [channel, source]);
    });
  }

  test('of the page’s own host is internal even if the website has another domain', () => {
    assert.equal(visit('https://shop.other.org/a', 'https://www.shop.other.org/b').channel, 'internal');
  });

  test('of a website whose domain was written with capitals, umlauts or a port is internal', () => {
    const own = (domain: string, referrer: string) =>
      describeRecord({ userAgent: '', pageUrl: 'https://elsewhere.org/', referrer, domain }).channel;
    assert.equal(own('Müller.de', 'https://blog.xn--mller-kva.de/'), 'internal');
    assert.equal(own('localhost:3000', 'http://localhost:8080/'), 'internal');
    assert.equal(own('https://www.Example.org/', 'https://example.org/'), 'internal');
  });

  test('is kept without user, password, fragment, click identifiers and secrets', () => {
    const seen = visit(
      'https://example.com/',
      'https://ann:pw@WWW.Blog.org:8443/a/jane@doe.org/b?fbclid=1&q=shoes&reset-token=xyz#part',
    );
    assert.equal(seen.referrer, 'https://www.blog.org:8443/a/***/b?q=shoes&reset-token=***');
    assert.equal(seen.referrerHost, 'blog.org');
  });

  test('that is a bare address does not get the address onto disk', () => {
    const seen = visit('https://example.com/', 'http://192.0.2.44:8080/from');
    assert.deepEqual([seen.referrer, seen.referrerHost], ['http://ip-address:8080/from', 'ip-address']);
  });

  test('whose host is an email address in disguise is masked', () => {
    const seen = visit('https://example.com/', 'android-app://jane%40doe.org/x');
    assert.deepEqual([seen.referrer, seen.referrerHost, seen.source], ['android-app://***/x', '***', '***']);
  });
});

describe('a page with', () => {
  const cases: [query: string, referrer: string | null, channel: string, source: string][] = [
    ['utm_source=newsletter&utm_medium=email', null, 'email', 'Newsletter'],
    ['utm_source=acme-weekly&utm_medium=E-Mail', null, 'email', 'acme-weekly'],
    ['utm_source=google&utm_medium=cpc', 'https://www.google.com/', 'paidSearch', 'Google'],
    ['utm_source=adwords', null, 'paidSearch', 'Google'],
    ['utm_source=facebook_ads&utm_medium=x', null, 'paidSocial', 'Facebook'],
    ['utm_source=fb&utm_medium=paid_social', null, 'paidSocial', 'Facebook'],
    ['utm_source=partner&utm_medium=display', null, 'display', 'partner'],
    ['utm_source=leads&utm_medium=blog', null, 'unassigned', 'leads'],
    ['gclid=abc', null, 'paidSearch', 'Google'],
    ['GCLID=abc', 'https://www.google.com/', 'paidSearch', 'Google'],
    ['gbraid=abc', 'https://example.com/', 'paidSearch', 'Google'],
    ['msclkid=abc', 'https://www.bing.com/', 'paidSearch', 'Bing'],
    ['fbclid=abc', null, 'social', 'Facebook'],
    ['fbclid=abc&gclid=def', null, 'paidSearch', 'Google'],
    ['srsltid=abc', null, 'search', 'Google'],
    ['utm_source=ig', null, 'social', 'Instagram'],
    ['utm_source=chatgpt.com', null, 'ai', 'ChatGPT'],
    ['utm_source=https%3A%2F%2Fwww.perplexity.ai%2F', null, 'ai', 'Perplexity'],
    ['utm_source=Twitter&utm_medium=social', 'https://t.co/x', 'social', 'X'],
    ['utm_source=acme&utm_medium=social', null, 'social', 'acme'],
    ['utm_source=acme&utm_medium=organic', null, 'search', 'acme'],
    ['utm_source=acme&utm_campaign=x', 'https://example.com/', 'referral', 'acme'],
    ['utm_source=acme', 'https://mail.google.com/', 'email', 'acme'],
    ['UTM_Source=Acme', null, 'referral', 'Acme'],
    ['utm_campaign=posters', null, 'unassigned', ''],
    ['ref=producthunt', null, 'social', 'Product Hunt'],
    ['source=hn', null, 'social', 'Hacker News'],
    ['ref=footer', 'https://example.com/', 'internal', ''],
    ['utm_source=jane%40doe.org', 'https://www.bing.com/', 'search', 'Bing'],
  ];
  for (const [query, referrer, channel, source] of cases) {
    test(`${query} from ${referrer ?? 'nowhere'} counts as ${channel}${source && ` by ${source}`}`, () => {
      const seen = visit(`https://example.com/?${query}`, referrer);
      assert.deepEqual([seen.channel, seen.source], [channel, source]);
    });
  }

  test('UTM tags yields them decoded, trimmed and bounded', () => {
    const seen = visit(
      'https://example.com/?utm_source=+a%20b+&Utm_Medium=m' +
        `&utm_campaign=${'%F0%9F%9A%82'.repeat(200)}x&utm_term=jane%2540doe.org&utm_content=%0A`,
    );
    assert.equal(seen.utmSource, 'a b');
    assert.equal(seen.utmMedium, 'm');
    assert.equal(seen.utmCampaign, '🚂'.repeat(128));
    assert.equal(seen.utmTerm, '***');
    assert.equal(seen.utmContent, '');
  });

  test('`ref` alone leaves utm_source empty', () =>
    assert.equal(visit('https://example.com/?ref=hn').utmSource, ''));
});

describe('the address of a page', () => {
  test('is in lowercase, without the scheme’s default port, user, password and fragment', () => {
    const seen = visit('https://ann:pw@Shop.Example.COM.:443/A/b?x=1#part');
    assert.deepEqual([seen.host, seen.path, seen.query], ['shop.example.com', '/A/b', 'x=1']);
  });

  test('keeps a port that is not the default', () =>
    assert.equal(visit('http://example.com:8080').host, 'example.com:8080'));

  test('has the path / if it names none', () => assert.equal(visit('https://example.com?x').path, '/'));

  test('is bounded, and not cut off in the middle of an escape', () => {
    const seen = visit(`https://example.com/a${'%C3%A4'.repeat(600)}?b=${'%C3%A4'.repeat(600)}`);
    assert.equal(seen.path.length, 2048 - ((2048 - 2) % 3));
    assert.match(seen.path, /(%C3|%A4)$/);
    assert.match(seen.query, /(%C3|%A4)$/);
    assert.ok(seen.query.length <= 2048);
  });
});

test('answers the same from its caches as without them', () => {
  const page = 'https://example.com/Doc?token=1&utm_source=fb';
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0';
  const input = { userAgent, pageUrl: page, referrer: 'https://t.co/Xy', domain: 'example.com' };
  assert.deepEqual(describeRecord(input), describeRecord(input));
  assert.deepEqual(describeRecord(input), createDescriber({ cacheEntries: 1 })(input));
});

test('flags a bot by name and keeps its whole record', () => {
  const userAgent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
  const seen = describeRecord({
    userAgent,
    pageUrl: 'https://example.com/a',
    referrer: null,
    domain: 'example.com',
  });
  assert.deepEqual([seen.isBot, seen.bot, seen.path, seen.browser], [true, 'GPTBot', '/a', '']);
});
