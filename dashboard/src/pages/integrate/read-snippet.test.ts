import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourCode } from './colour-code.ts';
import { keyPlaceholder, scriptFor, snippets } from './list-snippets.ts';
import { testSnippet } from './test-snippets.ts';

const origin = 'https://stats.example.org';
const domain = 'shop.example.net';
const key = 'k3VdW8pQy2LmZt4NcRf7HsJx1BvAe6Gu5TiKo09xQe';
const placeholders = /YOUR_|undefined|\[object|example\.com|TODO|\{\{\W?\w+\}\}/;

for (const { id, label, comment } of snippets) {
  const { write, endpoint } = testSnippet(id, { origin, domain, key });

  for (const sent of ['page view', 'event'] as const)
    test(`${label}: the program of a ${sent} has the website's own values, and no placeholder`, () => {
      const text = write(sent);
      assert.ok(text.includes(origin), 'the address of the node');
      assert.ok(text.includes(`https://${domain}/`), 'the address of a page');
      assert.equal(text.split(key).length, 2, 'the key, once');
      assert.doesNotMatch(text, placeholders);
    });

  test(`${label}: sends every object that a page view needs, and an event what it has besides`, () => {
    const text = write('page view');
    const event = write('event');
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
      for (const program of [text, event]) assert.match(program, new RegExp(`\\b${name}\\b`), name);
    for (const part of ['Sign-up', 'plan', 'pro'])
      assert.ok(event.includes(part) && !text.includes(`"${part}"`));
    // The SDK knows the rest.
    if (id === 'node') return;
    assert.match(text, /\bMetrics\b/);
    assert.match(text, /Authorization/);
    assert.match(text, /\/api\/page-view/);
    assert.match(event, /\/api\/event-view/);
    assert.doesNotMatch(event, /page-view/);
  });

  test(`${label}: colouring changes nothing of the text`, () => {
    const text = testSnippet(id, { origin, domain, key: keyPlaceholder }).write('page view');
    const pieces = colourCode(text, comment);
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
    assert.ok(pieces.some(({ kind }) => kind === 'string') && pieces.some(({ kind }) => kind === 'comment'));
    assert.ok(pieces.every(({ kind, text }) => kind !== 'comment' || !text.includes('\n')));
  });

  test(`${label}: the script of the page and the endpoint of the backend agree`, () => {
    const script = scriptFor(id);
    assert.ok(script.includes('/side'));
    if (id === 'curl' || id === 'php') return assert.equal(endpoint, undefined);
    assert.ok(endpoint !== undefined);
    assert.doesNotMatch(endpoint, placeholders);
    // The SDK's handler is at /side by itself.
    if (id === 'node') return assert.equal(endpoint.split(key).length, 2, 'the key, once');
    assert.ok(endpoint.includes('/side') && !endpoint.includes(key));
    for (const name of ['language', 'page', 'referrer', 'screenWidth', 'screenHeight'])
      assert.ok(script.includes(`${name}: `) && endpoint.includes(name), name);
  });
}
