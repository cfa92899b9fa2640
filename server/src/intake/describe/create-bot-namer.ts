import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isbot } from 'isbot';
import { botNames } from './bot-names.ts';
import { looksOpaque, looksPrivate } from './looks-private.ts';

/** For a bot that no list names. */
export const otherBot = 'Other bot';

const decentName = /^[A-Za-z\d](?!.*\d{5})[\w .!-]{1,39}$/;

type CrawlerNames = {
  literals: readonly { text: string; name: string }[];
  patterns: readonly { pattern: RegExp; name: string }[];
};

/**
 * Tells the name of the bot behind a user agent, or '' for what looks like a person. Names come from lists
 * only: a user agent is free text, and a name goes to disk, so no part of the text may become one.
 */
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
    // Half a megabyte of JSON that a node which sees no unknown bot never needs.
    crawlers ??= loadCrawlerNames();
    return nameFromList(userAgent, crawlers) ?? otherBot;
  };
}

/** Nearly all patterns of the list are plain text: searching for it beats compiling 1,500 expressions. */
function loadCrawlerNames(): CrawlerNames {
  // Read, not required: the module cache would keep the instances and descriptions for ever.
  const file = createRequire(import.meta.url).resolve('crawler-user-agents');
  const list = JSON.parse(readFileSync(file, 'utf8')) as { pattern: string; instances: string[] }[];
  const literals: { text: string; name: string }[] = [];
  const patterns: { pattern: RegExp; name: string }[] = [];
  for (const { pattern: source, instances } of list) {
    if (/[\^$*+?()[\]{}|\\]/.test(source.replace(/\\[^A-Za-z\d]/g, ''))) {
      const pattern = new RegExp(source);
      // Named after the list's own example: what matches in a visitor's user agent can be any text.
      const name = toName(pattern.exec(instances[0] ?? '')?.[0] ?? '');
      if (name !== undefined) patterns.push({ pattern, name });
    } else {
      const text = source.replace(/\\([^A-Za-z\d])/g, '$1');
      const name = toName(text);
      if (name !== undefined) literals.push({ text, name });
    }
  }
  // A longer name is the more exact one.
  literals.sort((a, b) => b.text.length - a.text.length);
  return { literals, patterns };
}

function nameFromList(userAgent: string, { literals, patterns }: CrawlerNames): string | undefined {
  return (
    literals.find(({ text }) => userAgent.includes(text))?.name ??
    patterns.find(({ pattern }) => pattern.test(userAgent))?.name
  );
}

/** What the list holds is not always a name: there are addresses and broken-off texts too. */
function toName(text: string): string | undefined {
  const name = text.replace(/[\s/(;:]+$/, '').trim();
  return decentName.test(name) && !looksPrivate(name) && !looksOpaque(name) ? name : undefined;
}
