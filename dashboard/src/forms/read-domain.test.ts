import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomain } from './read-domain.ts';

test('finds the domain in a pasted address', () => {
  const cases: [text: string, domain: string][] = [
    ['https://www.Example.com/shop?utm=1#top', 'www.example.com'],
    ['example.com/', 'example.com'],
    ['example.com:8080/x', 'example.com'],
    ['//example.com/x', 'example.com'],
    ['  https://müller.example/über-uns ', 'müller.example'],
    ['https://user:secret@shop.example/x', 'shop.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://[::1]:8080/', '[::1]'],
  ];
  for (const [text, domain] of cases) assert.equal(readDomain(text), domain, text);
});

test('leaves a domain, and a text that contains none, as it was entered', () => {
  for (const text of [
    'shop.example.com',
    'müller.example',
    '[::1]',
    'a b.example',
    'ftp://example.com',
    '',
    'https://',
  ])
    assert.equal(readDomain(` ${text} `), text);
});
