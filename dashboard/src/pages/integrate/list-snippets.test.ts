import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSnippets } from '../../../build/snippets-file.ts';
import { colourCode } from './colour-code.ts';
import { insertValues, keyPlaceholder, scriptFor, snippetFiles, snippets } from './list-snippets.ts';

const origin = 'https://stats.example.org';
const domain = 'shop.example.net';
const key = 'k3VdW8pQy2LmZt4NcRf7HsJx1BvAe6Gu5TiKo09xQe';
const texts = JSON.parse(readSnippets()) as Record<string, string>;

test('every program in examples/snippets is shown', () => {
  const folder = fileURLToPath(new URL('../../../../examples/snippets', import.meta.url));
  const files = globSync('*.*', { cwd: folder }).filter((name) => !name.endsWith('.md'));
  assert.deepEqual(files.sort(), [...snippetFiles].sort());
});

for (const { id, label, file, comment, serve } of snippets) {
  const text = insertValues(texts[file]!, origin, domain, key);

  test(`${label}: the program has the website's own values, and no placeholder`, () => {
    assert.equal(text.split(origin).length, 2, 'the address of the node, once');
    assert.ok(text.includes(`https://${domain}`), 'the address of a page');
    assert.equal(text.split(key).length, 2, 'the key, once');
    assert.doesNotMatch(text, /YOUR_|example\.com|TODO|127\.0\.0\.1:8080|shop\.example\b(?!\.net)/);
  });

  test(`${label}: sends every object that a record needs, a page view and an event`, () => {
    for (const name of [
      'Browser',
      'UserAgent',
      'ClientId',
      'Language',
      'Location',
      'Page',
      'Referrer',
      'Screen',
    ])
      assert.match(text, new RegExp(`\\b${name}\\b`), name);
    for (const part of ['Sign-up', 'plan', 'pro']) assert.ok(text.includes(part), part);
    // The SDK adds the rest.
    if (id === 'node') return;
    for (const part of ['Metrics', 'Authorization', 'Idempotency-Key', '/api/page-view', '/api/event-view'])
      assert.ok(text.includes(part), part);
  });

  test(`${label}: coloring does not change the text`, () => {
    const pieces = colourCode(insertValues(texts[file]!, origin, domain, keyPlaceholder), comment);
    assert.equal(
      pieces.map((piece) => piece.text).join(''),
      insertValues(texts[file]!, origin, domain, keyPlaceholder),
    );
    assert.ok(pieces.some(({ kind }) => kind === 'string') && pieces.some(({ kind }) => kind === 'comment'));
    assert.ok(pieces.every(({ kind, text }) => kind !== 'comment' || !text.includes('\n')));
  });

  test(`${label}: the script of the page and the endpoint of the program agree`, () => {
    const script = texts[scriptFor(id)]!;
    assert.ok(script.includes('/side'));
    if (serve === undefined || id === 'node') return;
    assert.ok(serve.includes(id === 'csharp' ? 'dotnet run' : file));
    for (const name of ['language', 'page', 'referrer', 'screenWidth', 'screenHeight'])
      assert.ok(script.includes(`${name}: `) && new RegExp(`['"]${name}['"]`).test(text), name);
    assert.ok(text.includes('/side') && text.includes('/sign-up'));
  });
}
