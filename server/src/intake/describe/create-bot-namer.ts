import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createIsbotFromList, isbot, list } from 'isbot';
import { botNames } from './bot-names.ts';
import { looksOpaque, looksPrivate } from './looks-private.ts';

/** The name of a bot that no list names. */
export const otherBot = 'Other bot';

/**
 * Libraries with which apps on phones fetch. A customer's app that sends its views through their backend has
 * such a user agent, so it is a person's. Both must be alike: one is Android's, the other is Apple's.
 */
const appLibrary = /\b(?:okhttp|CFNetwork)\/[\w.-]+/gi;
/**
 * A single word, with or without a version. A browser's first word alone does not count, because no browser
 * sends only that.
 */
const oneWord = /^(?!mozilla)[^\s/]{1,49}(?:\/[^\s/]*)?$/i;
/** Patterns of `isbot` that look at the shape of a user agent, and match any single word. */
const shapesOfOneWord = ['Acme', 'Acme/1', 'Acme/1.0'];

const decentName = /^[A-Za-z\d](?!.*\d{5})[\w .!-]{1,39}$/;

type CrawlerNames = {
  literals: readonly { text: string; name: string }[];
  patterns: readonly { pattern: RegExp; name: string }[];
};

/**
 * Creates a function that returns the name of the bot behind a user agent, or '' for a person. Names only
 * come from lists: a user agent is free text and the name is stored, so no part of the text may become a
 * name.
 */
export function createBotNamer(): (userAgent: string) => string {
  const ownNames = botNames.map((name) => ({ name, token: name.toLowerCase() }));
  // Both are made when they are first needed, which is never on a server that sees no unknown bot: the names
  // are half a megabyte of JSON, and the patterns take as long as a tenth of a start.
  let crawlers: CrawlerNames | undefined;
  let isBotByItsWord: ((word: string) => boolean) | undefined;

  return (userAgent) => {
    // The interface allows an empty user agent, which says nothing about the visitor.
    if (userAgent === '') return '';
    const lower = userAgent.toLowerCase();
    const own = ownNames.find(({ token }) => claims(lower, token));
    if (own !== undefined) return own.name;
    const rest = userAgent.replace(appLibrary, '').trim();
    if (rest === '' || !isbot(rest)) return '';
    crawlers ??= loadCrawlerNames();
    const name = nameFromList(rest, crawlers);
    if (name !== undefined) return name;
    if (!oneWord.test(rest)) return otherBot;
    isBotByItsWord ??= createIsbotFromList(list.filter((pattern) => !matchesAnyWord(pattern)));
    return isBotByItsWord(rest) ? otherBot : '';
  };
}

/** Whether a user agent says that it is this bot, and not only that it is like it. */
function claims(userAgent: string, token: string): boolean {
  const at = userAgent.indexOf(token);
  return at !== -1 && !userAgent.slice(0, at).endsWith('like ');
}

function matchesAnyWord(pattern: string): boolean {
  const expression = new RegExp(pattern, 'i');
  return shapesOfOneWord.some((word) => expression.test(word));
}

/**
 * Reads the public list. Nearly all of its patterns are plain text, and searching for text is faster than
 * compiling 1,500 expressions.
 */
function loadCrawlerNames(): CrawlerNames {
  // Read instead of required, because the module cache would keep the instances and descriptions forever.
  const file = createRequire(import.meta.url).resolve('crawler-user-agents');
  const list = JSON.parse(readFileSync(file, 'utf8')) as { pattern: string; instances: string[] }[];
  const literals: { text: string; name: string }[] = [];
  const patterns: { pattern: RegExp; name: string }[] = [];
  for (const { pattern: source, instances } of list) {
    if (/[\^$*+?()[\]{}|\\]/.test(source.replace(/\\[^A-Za-z\d]/g, ''))) {
      const pattern = new RegExp(source);
      // The name comes from the list's own example, because the pattern may match any text in a visitor's
      // user agent.
      const name = toName(pattern.exec(instances[0] ?? '')?.[0] ?? '');
      if (name !== undefined) patterns.push({ pattern, name });
    } else {
      const text = source.replace(/\\([^A-Za-z\d])/g, '$1');
      const name = toName(text);
      if (name !== undefined) literals.push({ text, name });
    }
  }
  // A longer name is more specific.
  literals.sort((a, b) => b.text.length - a.text.length);
  return { literals, patterns };
}

function nameFromList(userAgent: string, { literals, patterns }: CrawlerNames): string | undefined {
  return (
    literals.find(({ text }) => userAgent.includes(text))?.name ??
    patterns.find(({ pattern }) => pattern.test(userAgent))?.name
  );
}

/** Returns a name from the list's text, which is not always a name: it may be a URL or a fragment. */
function toName(text: string): string | undefined {
  const name = text.replace(/[\s/(;:]+$/, '').trim();
  return decentName.test(name) && !looksPrivate(name) && !looksOpaque(name) ? name : undefined;
}
