import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlError } from '../database/control-error.ts';
import { parseReadOrigins } from './parse-read-origins.ts';

test('reads origins as a browser would send them, each once', () => {
  const cases: [string, string][] = [
    ['https://Intranet.Example.com', 'https://intranet.example.com'],
    [' https://intranet.example.com/ ', 'https://intranet.example.com'],
    ['HTTPS://intranet.example.com:443', 'https://intranet.example.com'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ];
  for (const [text, origin] of cases) assert.deepEqual(parseReadOrigins([text]), [origin]);
  assert.deepEqual(parseReadOrigins(['https://a.test', 'https://A.test/', 'http://a.test']), [
    'https://a.test',
    'http://a.test',
  ]);
  assert.deepEqual(parseReadOrigins([]), []);
});

test('refuses whatever is not one origin, and says what is expected', () => {
  const wrong = [
    '',
    '*',
    'null',
    'a.test',
    'https://*.a.test',
    'https://a.test/path',
    'https://a.test?x',
    'https://a.test#x',
    'https://user:secret@a.test',
    'https://a.test https://b.test',
    'https://a.test,https://b.test',
    'ftp://a.test',
    'file:///etc',
    'javascript:alert(1)',
    'https://',
    'https://a.test:99999',
    `https://${'a'.repeat(400)}.test`,
  ];
  for (const text of wrong)
    assert.throws(
      () => parseReadOrigins(['https://fine.test', text]),
      (error) => error instanceof ControlError && /^Origin: expected a scheme and a host/.test(error.message),
      text,
    );
});

test('accepts 20 origins but not 21', () => {
  const origins = Array.from({ length: 21 }, (_, index) => `https://${index}.test`);
  assert.equal(parseReadOrigins(origins.slice(0, 20)).length, 20);
  assert.throws(() => parseReadOrigins(origins), /^ControlError: Origins: expected at most 20, got 21/);
});
