import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { toLists } from '../build/drop-keys.ts';
import { german } from '../src/pages/german.ts';
import { nameTexts } from '../src/words/name-texts.ts';
import { findTexts } from './find-texts.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const read = (name: string) => readFileSync(source + name, 'utf8');

/** Names and paths, which are the same in every language. */
const names = new Set(['CSV', 'Parquet', '/pricing', '/signup']);

test('finds texts between tags, in attributes and in messages, and nothing else', () => {
  const code = `
    const a = (
      <p class="note" title="Read me" aria-label={isOn ? 'On' : \`Off: \${b}\`}>
        Hello {name}, <code>#</code> · 12 {isDone && 'Done'} {words.title} {' '}
        <Icon name="gear" /> <Card title={words.title} about={describe('some-code')} />
        <code>trackside serve</code>
      </p>
    );
    say(isOn ? 'Saved.' : words.failed);
    const columns = [{ kind: 'link', heading: 'Role' }];`;
  const found = findTexts(parseAst(code, { lang: 'tsx' }));
  assert.deepEqual(found.toSorted(), ['Done', 'Hello', 'Off:', 'On', 'Read me', 'Role', 'Saved.']);
});

test('every text that people read is in a catalogue', () => {
  const files = globSync('**/*.tsx', { cwd: source });
  assert.ok(files.length > 100, 'expected to find the components');
  const found = files.flatMap((file) =>
    findTexts(parseAst(read(file), { lang: 'tsx' }))
      .filter((text) => !names.has(text))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(found, []);
});

test('every catalogue exists in German, and no other', () => {
  const names = globSync('**/*.{ts,tsx}', { cwd: source })
    .flatMap((name) => [...read(name).matchAll(/= createUseWords\(\s*'([^']+)'/g)])
    .map(([, name]) => name!);
  assert.ok(names.length > 5, 'expected to find the catalogues');
  assert.deepEqual(names.toSorted(), Object.keys(german).toSorted());
});

test('a German catalogue has the keys of the English one', async () => {
  const files = globSync('**/*-words-german.ts', { cwd: source });
  assert.ok(files.length > 5, 'expected to find the catalogues');
  for (const file of files) {
    const [[name, words] = ['']] = Object.entries(await import(source + file));
    const english = await import(source + file.replace('-german', ''));
    assert.deepEqual(keysOf(words), keysOf(english[name.replace('German', '')]), file);
  }
});

test('the build removes the keys of a translation, and the page restores them', async () => {
  const code = `const days = { one: '# Tag', other: '# Tage' };
    export const words = { title: 'Ziele', 'a-b': ('Zwei ' + 'Teile'), days, nested: { z: () => 'Z', a: 'A' } };`;
  const listed = toLists(code);
  assert.match(listed, /words = \[\s*\('Zwei ' \+ 'Teile'\),days,\[/);
  const { words } = await import(`data:text/javascript,${encodeURIComponent(listed)}`);
  const english = { title: '', 'a-b': '', days: { one: '', other: '' }, nested: { a: '', z: () => '' } };
  const named = nameTexts(english, words);
  assert.deepEqual(
    { ...named, nested: { ...named.nested, z: named.nested.z() } },
    {
      title: 'Ziele',
      'a-b': 'Zwei Teile',
      days: { one: '# Tag', other: '# Tage' },
      nested: { a: 'A', z: 'Z' },
    },
  );
  assert.equal(nameTexts(english, english), english);
  assert.throws(() => toLists('export const words = { ...other };'), /expected only keys and their texts/);
});

/** The keys of a catalogue, and those of the objects in it. */
function keysOf(words: unknown): unknown {
  if (typeof words !== 'object' || words === null) return typeof words;
  const entries = Object.entries(words).map(([key, value]) => [key, keysOf(value)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
