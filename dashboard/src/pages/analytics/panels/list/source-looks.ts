import { findLook, type KnownLooks, type Look } from './look.ts';

export const sourceLooks: KnownLooks = {
  '': ['→', '#7a8681'],
  Google: ['G', '#4285f4', 'google'],
  'Google News': ['N', '#4285f4', 'googlenews'],
  Bing: ['b', '#0c8484'],
  DuckDuckGo: ['D', '#de5833', 'duckduckgo'],
  Yahoo: ['Y', '#5f01d1'],
  Yandex: ['Я', '#e0321c'],
  Baidu: ['百', '#2932e1', 'baidu'],
  Ecosia: ['e', '#36794a', 'ecosia'],
  'Brave Search': ['B', '#e4491b', 'brave'],
  Startpage: ['S', '#5366c9', 'startpage'],
  Kagi: ['k', '#a8730a', 'kagi'],
  Qwant: ['Q', '#4a4fd1', 'qwant'],
  ChatGPT: ['✦', '#111111'],
  Perplexity: ['P', '#1b7f8c', 'perplexity'],
  Claude: ['✳', '#c15f3c', 'claude'],
  Gemini: ['✦', '#3d6fd9', 'googlegemini'],
  Copilot: ['C', '#2a72c9'],
  Mistral: ['M', '#d9541e', 'mistralai'],
  DeepSeek: ['D', '#4d6bfe', 'deepseek'],
  Grok: ['g', '#222222'],
  'Meta AI': ['∞', '#0668e1', 'meta'],
  Facebook: ['f', '#1877f2', 'facebook'],
  Messenger: ['m', '#0a7cff', 'messenger'],
  Instagram: ['i', '#c13584', 'instagram'],
  Threads: ['@', '#222222', 'threads'],
  WhatsApp: ['w', '#128c4b', 'whatsapp'],
  X: ['X', '#1a1a1a', 'x'],
  Bluesky: ['b', '#0a7aff', 'bluesky'],
  Mastodon: ['m', '#5a4fe0', 'mastodon'],
  LinkedIn: ['in', '#0a66c2'],
  Reddit: ['r', '#ff4500', 'reddit'],
  YouTube: ['▶', '#e60000', 'youtube'],
  TikTok: ['♪', '#161616', 'tiktok'],
  Pinterest: ['P', '#bd081c', 'pinterest'],
  Telegram: ['t', '#1c86c4', 'telegram'],
  Discord: ['d', '#5865f2', 'discord'],
  Slack: ['#', '#611f69'],
  'Hacker News': ['Y', '#ff6600', 'ycombinator'],
  'Product Hunt': ['P', '#cc4d29', 'producthunt'],
  'Stack Overflow': ['s', '#c96a10', 'stackoverflow'],
  Medium: ['M', '#222222', 'medium'],
  Gmail: ['✉', '#c5352b', 'gmail'],
  Outlook: ['✉', '#0f6cbd'],
  Newsletter: ['✉', '#b7791f'],
  'E-mail': ['✉', '#b7791f'],
  GitHub: ['g', '#24292f', 'github'],
  Wikipedia: ['W', '#54595d', 'wikipedia'],
};

/** The colors of unknown sources. White letters are readable on each of them. */
const colours = ['#334a7d', '#7a4a1f', '#0b6a6a', '#6b3a74', '#8a3245', '#3f5d2c', '#4a5560', '#7a5c12'];

export function lookOf(source: string): Look {
  const known = findLook(sourceLooks, source);
  if (known !== undefined) return known;
  if (/newsletter|e-?mail/i.test(source)) return { letter: '✉', colour: '#b7791f' };
  const [letter = '?'] = source.trim().replace(/^(?:www|m)\./i, '');
  return { letter: letter.toLowerCase(), colour: colours[sumOf(source) % colours.length]! };
}

/** Hashes a text, so that it always gets the same color. */
function sumOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return sum;
}
