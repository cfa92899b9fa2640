import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourCode } from './colour-code.ts';
import { keyPlaceholder, snippets } from './list-snippets.ts';

const origin = 'https://stats.example.org';
const domain = 'shop.example.net';
const key = 'k3VdW8pQy2LmZt4NcRf7HsJx1BvAe6Gu5TiKo09xQe';

for (const { label, write, comment } of snippets) {
  test(`${label}: has the website's own values, and no placeholder`, () => {
    const text = write(origin, domain, key);
    assert.ok(text.includes(origin), 'the address of the node');
    assert.ok(text.includes(`https://${domain}/`), 'the address of a page');
    assert.equal(text.split(key).length, 2, 'the key, once');
    assert.doesNotMatch(text, /YOUR_|undefined|\[object|example\.com|TODO/);
  });

  test(`${label}: sends every object that a page view needs`, () => {
    const text = write(origin, domain, key);
    for (const name of [
      'Metrics',
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
    assert.match(text, /Authorization/);
    assert.match(text, /\/api\/page-view/);
  });

  test(`${label}: colouring changes nothing of the text`, () => {
    const text = write(origin, domain, keyPlaceholder);
    const pieces = colourCode(text, comment);
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
    assert.ok(pieces.some(({ kind }) => kind === 'string') && pieces.some(({ kind }) => kind === 'comment'));
    assert.ok(pieces.every(({ kind, text }) => kind !== 'comment' || !text.includes('\n')));
  });
}
