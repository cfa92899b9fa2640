import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { german } from '../src/pages/german.ts';
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
