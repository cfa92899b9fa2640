import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBotNamer } from './create-bot-namer.ts';

const compatible = (name: string) =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`;

const robots: [string, string][] = [
  [compatible('GPTBot/1.2; +https://openai.com/gptbot'), 'GPTBot'],
  [compatible('OAI-SearchBot/1.0; +https://openai.com/searchbot'), 'OAI-SearchBot'],
  [compatible('ChatGPT-User/1.0; +https://openai.com/bot'), 'ChatGPT-User'],
  [compatible('ClaudeBot/1.0; +claudebot@anthropic.com'), 'ClaudeBot'],
  [compatible('Claude-User/1.0; +Claude-User@anthropic.com'), 'Claude-User'],
  [compatible('PerplexityBot/1.0; +https://perplexity.ai/perplexitybot'), 'PerplexityBot'],
  [compatible('Perplexity-User/1.0; +https://perplexity.ai/perplexity-user'), 'Perplexity-User'],
  [compatible('Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot'), 'Amazonbot'],
  [
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    'Bytespider',
  ],
  [
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta-externalagent',
  ],
  ['Mozilla/5.0 (compatible; Applebot-Extended/1.0)', 'Applebot-Extended'],
  ['CCBot/2.0 (https://commoncrawl.org/faq/)', 'CCBot'],
  ['DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)', 'DuckAssistBot'],
  ['cohere-ai', 'cohere-ai'],
  ['Mozilla/5.0 (compatible; GoogleOther)', 'GoogleOther'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
  ['Googlebot-Image/1.0', 'Googlebot-Image'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'HeadlessChrome',
  ],
  // Bots that name another one they resemble
  ['TelegramBot (like TwitterBot)', 'TelegramBot'],
  ['Feedly/1.0 (+http://www.feedly.com/fetcher.html; 16 subscribers; like FeedFetcher-Google)', 'Feedly'],
  [`${compatible('x')} Chrome/117.0.0.0 Safari/537.36 GTmetrix`, 'GTmetrix'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/117.0.0.0 Safari/537.36 Chrome-Lighthouse GTmetrix',
    'GTmetrix',
  ],
  // From the public list
  ['Mozilla/5.0 (compatible; Dataprovider.com)', 'Dataprovider.com'],
  ['Mozilla/5.0 (compatible; SurdotlyBot/1.0; +http://sur.ly/bot.html)', 'SurdotlyBot'],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.31.0', 'python-requests'],
  ['Go-http-client/2.0', 'Go-http-client'],
  ['axios/1.6.8', 'axios'],
  ['Wget/1.21.4', 'Wget'],
  ['wget/1.21.4', 'Wget'],
  ['HTTPie/3.2.2', 'HTTPie'],
  // From our own list
  ['undici', 'undici'],
  ['PostmanRuntime/7.39.0', 'PostmanRuntime'],
  // A bot that uses the library of an app
  ['GPTBot/1.2 okhttp/4.12.0', 'GPTBot'],
  ['NeverSeenBot/0.1 okhttp/4.12.0', 'Other bot'],
  ['never-seen-crawler/0.1 CFNetwork/1498.700.2 Darwin/23.6.0', 'Other bot'],
  // On neither list
  ['NeverSeenBot', 'Other bot'],
  ['never-seen-crawler/2', 'Other bot'],
  ['Mozilla/5.0', 'Other bot'],
  ['Mozilla/5.0 (compatible; NeverSeenBot/0.1; +https://never.example/bot)', 'Other bot'],
  ['Jane Doe Springfield', 'Other bot'],
  ['JaneDoe-Springfield-Crawler/1.0', 'Other bot'],
  ['jane.doe@example.com', 'Other bot'],
  ['203.0.113.77', 'Other bot'],
  ['device 9471634508', 'Other bot'],
  // The list's pattern for this bot allows any text in the middle.
  ['Spider Jane Doe Springfield spider.com', 'Other bot'],
];

const nameBot = createBotNamer();

for (const [userAgent, name] of robots) {
  test(`names ${name} in ${userAgent.slice(0, 60)}`, () => assert.equal(nameBot(userAgent), name));
}

const people = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 13; CUBOT P60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/314.0.62 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
  // Libraries with which apps fetch: the device is a person's
  'okhttp/4.12.0',
  'okhttp/5.0.0-alpha.14',
  'AcmeShop/3.2 okhttp/4.12.0',
  'AcmeShop/812 CFNetwork/1498.700.2 Darwin/23.6.0',
  'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)',
  // A word that no list knows
  'AcmeShop',
  'AcmeShop/3.2',
  'acme-shop/3.2.1-beta',
  'x',
  '',
];

for (const userAgent of people) {
  test(`takes ${userAgent.slice(0, 60) || 'an empty user agent'} for a person`, () =>
    assert.equal(nameBot(userAgent), ''));
}
