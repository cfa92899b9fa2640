/** The letter and the color of a source. */
export type SourceLook = { letter: string; colour: string };

const known: Readonly<Record<string, readonly [letter: string, colour: string]>> = {
  '': ['→', '#7a8681'],
  Google: ['G', '#4285f4'],
  'Google News': ['N', '#4285f4'],
  Bing: ['b', '#0c8484'],
  DuckDuckGo: ['D', '#de5833'],
  Yahoo: ['Y', '#5f01d1'],
  Yandex: ['Я', '#e0321c'],
  Baidu: ['百', '#2932e1'],
  Ecosia: ['e', '#36794a'],
  'Brave Search': ['B', '#e4491b'],
  Startpage: ['S', '#5366c9'],
  Kagi: ['k', '#a8730a'],
  Qwant: ['Q', '#4a4fd1'],
  ChatGPT: ['✦', '#111111'],
  Perplexity: ['P', '#1b7f8c'],
  Claude: ['✳', '#c15f3c'],
  Gemini: ['✦', '#3d6fd9'],
  Copilot: ['C', '#2a72c9'],
  Mistral: ['M', '#d9541e'],
  DeepSeek: ['D', '#4d6bfe'],
  Grok: ['g', '#222222'],
  'Meta AI': ['∞', '#0668e1'],
  Facebook: ['f', '#1877f2'],
  Messenger: ['m', '#0a7cff'],
  Instagram: ['i', '#c13584'],
  Threads: ['@', '#222222'],
  WhatsApp: ['w', '#128c4b'],
  X: ['X', '#1a1a1a'],
  Bluesky: ['b', '#0a7aff'],
  Mastodon: ['m', '#5a4fe0'],
  LinkedIn: ['in', '#0a66c2'],
  Reddit: ['r', '#ff4500'],
  YouTube: ['▶', '#e60000'],
  TikTok: ['♪', '#161616'],
  Pinterest: ['P', '#bd081c'],
  Telegram: ['t', '#1c86c4'],
  Discord: ['d', '#5865f2'],
  Slack: ['#', '#611f69'],
  'Hacker News': ['Y', '#ff6600'],
  'Product Hunt': ['P', '#cc4d29'],
  'Stack Overflow': ['s', '#c96a10'],
  Medium: ['M', '#222222'],
  Gmail: ['✉', '#c5352b'],
  Outlook: ['✉', '#0f6cbd'],
  Newsletter: ['✉', '#b7791f'],
  'E-mail': ['✉', '#b7791f'],
  GitHub: ['g', '#24292f'],
  Wikipedia: ['W', '#54595d'],
};

/** The colors of unknown sources. White letters are readable on each of them. */
const colours = ['#334a7d', '#7a4a1f', '#0b6a6a', '#6b3a74', '#8a3245', '#3f5d2c', '#4a5560', '#7a5c12'];

export function lookOf(source: string): SourceLook {
  const look = Object.hasOwn(known, source) ? known[source] : undefined;
  if (look !== undefined) return { letter: look[0], colour: look[1] };
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
