import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { german } from '../src/pages/german.ts';
import { findTexts } from './find-texts.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const read = (name: string) => readFileSync(source + name, 'utf8');

/** Their texts are still in the code. */
const unfinished = /^pages\/analytics\//;

test('finds texts between tags and in attributes and in messages, and nothing else', () => {
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
  const names = globSync('**/*.tsx', { cwd: source });
  assert.ok(names.length > 100, 'expected to find the components');
  const found = names
    .filter((name) => !unfinished.test(name))
    .flatMap((name) => findTexts(parseAst(read(name), { lang: 'tsx' })).map((text) => `${name}: ${text}`));
  assert.deepEqual(found, []);
});

test('every catalogue exists in German, and no other', () => {
  const names = globSync('**/*.{ts,tsx}', { cwd: source })
    .flatMap((name) => [...read(name).matchAll(/= createUseWords\(\s*'([^']+)'/g)])
    .map(([, name]) => name!);
  assert.ok(names.length > 5, 'expected to find the catalogues');
  assert.deepEqual(names.toSorted(), Object.keys(german).toSorted());
});
