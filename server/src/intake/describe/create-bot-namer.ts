import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isbot, isbotMatch } from 'isbot';
import { botNames } from './bot-names.ts';
import { looksOpaque, looksPrivate } from './looks-private.ts';

const unnamed = 'Other';
const decentName = /^[A-Za-z\d](?!.*\d{5})[\w .!-]{1,39}$/;

type CrawlerNames = { literals: readonly string[]; patterns: readonly RegExp[] };

/** Tells the name of the robot behind a user agent, or '' for what looks like a person. */
export function createBotNamer(): (userAgent: string) => string {
  const ownNames = botNames.map((name) => ({ name, token: name.toLowerCase() }));
  let crawlers: CrawlerNames | undefined;

  return (userAgent) => {
    // The interface allows an empty user agent; it says nothing against the visitor.
    if (userAgent === '') return '';
    const lower = userAgent.toLowerCase();
    const own = ownNames.find(({ token }) => lower.includes(token));
    if (own !== undefined) return own.name;
    if (!isbot(userAgent)) return '';
    // Half a megabyte of JSON that a node which sees no unknown robot never needs.
    crawlers ??= loadCrawlerNames();
    return firstDecent([nameFromList(userAgent, crawlers), ...namesFromText(userAgent)]);
  };
}

/** Nearly all patterns of the list are plain text: searching for it beats compiling 1,500 expressions. */
function loadCrawlerNames(): CrawlerNames {
  // Read, not required: the module cache would keep the instances and descriptions for ever.
  const file = createRequire(import.meta.url).resolve('crawler-user-agents');
  const list = JSON.parse(readFileSync(file, 'utf8')) as { pattern: string }[];
  const literals: string[] = [];
  const patterns: RegExp[] = [];
  for (const { pattern } of list) {
    const plain = pattern.replace(/\\([^A-Za-z\d])/g, '$1');
    if (/[\^$*+?()[\]{}|\\]/.test(pattern.replace(/\\[^A-Za-z\d]/g, ''))) patterns.push(new RegExp(pattern));
    else literals.push(plain);
  }
  // A longer name is the more exact one.
  literals.sort((a, b) => b.length - a.length);
  return { literals, patterns };
}

function nameFromList(userAgent: string, { literals, patterns }: CrawlerNames): string {
  const literal = literals.find((text) => userAgent.includes(text));
  if (literal !== undefined) return literal;
  for (const pattern of patterns) {
    const match = pattern.exec(userAgent);
    if (match !== null) return match[0];
  }
  return '';
}

function namesFromText(userAgent: string): string[] {
  const called = /[\w.-]{0,30}(?:bot|crawler|spider|fetcher|monitor|scanner)\b/i.exec(userAgent)?.[0] ?? '';
  const product = userAgent.startsWith('Mozilla/') ? '' : (/^[^/(;,]+/.exec(userAgent)?.[0] ?? '');
  return [called, product, isbotMatch(userAgent) ?? ''];
}

/** A name goes to disk as it is, so it must be short, plain and about nobody. */
function firstDecent(candidates: readonly string[]): string {
  for (const candidate of candidates) {
    const name = candidate.replace(/[\s/(;:]+$/, '').trim();
    if (decentName.test(name) && !looksPrivate(name) && !looksOpaque(name)) return name;
  }
  return unnamed;
}
