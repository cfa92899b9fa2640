import { readFileSync } from 'node:fs';
import type { Language } from './list-snippets.ts';
import { type Programs, readSnippet, type SnippetValues } from './read-snippet.ts';

/** The programs of a language, read from its file. */
export function testSnippet(language: Language, values: SnippetValues): Programs {
  const file = new URL(`snippets/${language}.txt`, import.meta.url);
  return readSnippet(readFileSync(file, 'utf8'), values);
}
