import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDomain } from './parse-domain.ts';

test('accepts host names, single labels and IP addresses', () => {
  const cases = [
    ['example.com', 'example.com'],
    [' WWW.Example.COM ', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['my_app.internal', 'my_app.internal'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
  ];
  for (const [text = '', domain] of cases) assert.equal(parseDomain(text), domain);
});

test('refuses a pasted URL and names the host in it', () => {
  const cases = [
    ['https://www.Example.com/x', 'www.example.com'],
    ['example.com/', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com:80', 'example.com'],
    ['https://user@bücher.example?q=1#f', 'xn--bcher-kva.example'],
  ];
  for (const [text = '', host] of cases) {
    assert.throws(() => parseDomain(text), { reason: 'invalid', message: new RegExp(`: use ${host}$`) });
  }
});

test('refuses anything that is not a host name', () => {
  const cases = [
    '',
    ' ',
    '.',
    'a..b',
    '-a.example',
    'a b.example',
    '*.example',
    '7',
    '0x7f.1',
    '1.2.3',
    '::1',
  ];
  cases.push(`${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}example`, 'https://', 'ex%61mple.com');
  for (const text of cases) {
    assert.throws(() => parseDomain(text), { name: 'ControlError', reason: 'invalid' }, text);
  }
});
