import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAiBot } from './is-ai-bot.ts';

/** The names in a text, separated by commas. */
const listed = (text: string) => text.split(',').map((name) => name.trim());

test('recognizes bots that read for a language model', () => {
  const names = listed(`
    GPTBot, OAI-SearchBot, ChatGPT-User, ClaudeBot, anthropic-ai, PerplexityBot, CCBot,
    Google-Extended, GoogleOther-Image, Bytespider, Amazonbot, Applebot-Extended, Diffbot,
    meta-externalagent, DuckAssistBot, MistralAI-User, cohere-ai, AI2Bot, DeepSeekBot
  `);
  for (const name of names) assert.equal(isAiBot(name), true, name);
});

test('distinguishes them from search engines, previews and monitors', () => {
  const names = listed(`
    Googlebot, Googlebot-Image, bingbot, DuckDuckBot, YandexBot, Baiduspider, Applebot,
    facebookexternalhit, Twitterbot, Slackbot, AhrefsBot, SemrushBot, UptimeRobot, curl,
    Chrome-Lighthouse, HeadlessChrome, archive.org_bot, Other bot, Mastodon, Mail.RU_Bot
  `);
  for (const name of names) assert.equal(isAiBot(name), false, name);
});
