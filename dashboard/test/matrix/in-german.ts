import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Reads the catalogues, and returns a function that translates one of their English texts into German. */
export async function readGerman(): Promise<(english: string) => string> {
  const texts = new Map<string, string>();
  const pair = (english: unknown, german: unknown): void => {
    if (typeof english === 'string' && typeof german === 'string') texts.set(english, german);
    else if (typeof english === 'object' && english !== null)
      for (const [name, value] of Object.entries(english))
        pair(value, (german as Record<string, unknown> | undefined)?.[name]);
  };
  for (const file of globSync('**/*-words-german.ts', { cwd: source })) {
    const german = (await import(source + file)) as Record<string, unknown>;
    const english = (await import(source + file.replace('-german', ''))) as Record<string, unknown>;
    for (const [name, catalogue] of Object.entries(english)) pair(catalogue, german[`${name}German`]);
  }
  return (english) => {
    const german = texts.get(english);
    if (german === undefined) throw new Error(`expected a text of the catalogues, got "${english}"`);
    return german;
  };
}
