/** The bots that read the demo's website. */
import type { Weighted } from './create-choice.ts';

export type Crawler = {
  /** The bot's name in the statistics. */
  name: string;
  userAgent: string;
  /** How many pages the bot requests in one visit. */
  pages: readonly [min: number, max: number];
  /** Visits of kind 'ai' become more frequent over the demo's period. */
  kind: 'ai' | 'other';
};

const mozilla = (rest: string) => `Mozilla/5.0 (compatible; ${rest})`;
const webkit = (rest: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${rest})`;

const crawler = (
  name: string,
  kind: Crawler['kind'],
  pages: Crawler['pages'],
  userAgent: string,
): Crawler => ({ name, kind, pages, userAgent });

export const demoCrawlers: Weighted<Crawler> = [
  [15, crawler('GPTBot', 'ai', [3, 16], webkit('GPTBot/1.2; +https://openai.com/gptbot'))],
  [14, crawler('ClaudeBot', 'ai', [3, 16], webkit('ClaudeBot/1.0; +claudebot@anthropic.com'))],
  [6, crawler('OAI-SearchBot', 'ai', [1, 5], webkit('OAI-SearchBot/1.0; +https://openai.com/searchbot'))],
  [
    5,
    crawler('PerplexityBot', 'ai', [1, 6], webkit('PerplexityBot/1.0; +https://perplexity.ai/perplexitybot')),
  ],
  [
    4,
    crawler(
      'meta-externalagent',
      'ai',
      [2, 12],
      'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    ),
  ],
  [4, crawler('Bytespider', 'ai', [2, 10], mozilla('Bytespider; spider-feedback@bytedance.com'))],
  [
    3,
    crawler(
      'Amazonbot',
      'ai',
      [1, 6],
      webkit('Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot'),
    ),
  ],
  [3, crawler('CCBot', 'ai', [2, 12], 'CCBot/2.0 (https://commoncrawl.org/faq/)')],
  [8, crawler('ChatGPT-User', 'ai', [1, 2], webkit('ChatGPT-User/1.0; +https://openai.com/bot'))],
  [4, crawler('Claude-User', 'ai', [1, 2], webkit('Claude-User/1.0; +Claude-User@anthropic.com'))],
  [
    2,
    crawler(
      'Perplexity-User',
      'ai',
      [1, 1],
      webkit('Perplexity-User/1.0; +https://perplexity.ai/perplexity-user'),
    ),
  ],
  [2, crawler('MistralAI-User', 'ai', [1, 1], webkit('MistralAI-User/1.0; +https://docs.mistral.ai/robots'))],
  [24, crawler('Googlebot', 'other', [1, 9], mozilla('Googlebot/2.1; +http://www.google.com/bot.html'))],
  [13, crawler('bingbot', 'other', [1, 8], mozilla('bingbot/2.0; +http://www.bing.com/bingbot.htm'))],
  [4, crawler('Applebot', 'other', [1, 5], mozilla('Applebot/0.1; +http://www.apple.com/go/applebot'))],
  [3, crawler('YandexBot', 'other', [1, 6], mozilla('YandexBot/3.0; +http://yandex.com/bots'))],
  [3, crawler('DuckDuckBot', 'other', [1, 3], 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)')],
  [
    2,
    crawler(
      'PetalBot',
      'other',
      [1, 6],
      mozilla('PetalBot; +https://webmaster.petalsearch.com/site/petalbot'),
    ),
  ],
  [8, crawler('AhrefsBot', 'other', [2, 14], mozilla('AhrefsBot/7.0; +http://ahrefs.com/robot/'))],
  [7, crawler('SemrushBot', 'other', [2, 14], mozilla('SemrushBot/7~bl; +http://www.semrush.com/bot.html'))],
  [
    9,
    crawler(
      'UptimeRobot',
      'other',
      [1, 1],
      'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
    ),
  ],
  [
    2,
    crawler(
      'LinkedInBot',
      'other',
      [1, 1],
      'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    ),
  ],
  [2, crawler('Slackbot', 'other', [1, 1], 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')],
  [2, crawler('Mastodon', 'other', [1, 1], 'Mastodon/4.5.0 (http.rb/5.3.1; +https://mastodon.social/)')],
];
