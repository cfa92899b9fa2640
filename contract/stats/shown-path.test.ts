import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shownPath } from './shown-path.ts';

const cases = {
  'shows what upper-case and lower-case escapes mean': ['/caf%c3%a9/%C3%A9', '/café/é'],
  'decodes unreserved characters': ['/%7Eada/%41-%2E', '/~ada/A-.'],
  'decodes a space and characters of every length': ['/a%20b%C3%A4%E6%97%A5%F0%9F%98%80', '/a bä日😀'],
  'leaves the other characters as they are': ['/ä+b&c=d', '/ä+b&c=d'],
  'keeps what has a meaning in a path, in upper case': ['/%2f%3F%23%25%5c', '/%2F%3F%23%25%5C'],
  'keeps controls': ['/%00%0a%1F%7f%C2%85', '/%00%0A%1F%7F%C2%85'],
  'keeps bidirectional controls': ['/%E2%80%AEgpj.exe%E2%81%A6', '/%E2%80%AEgpj.exe%E2%81%A6'],
  'keeps what has no width': ['/%E2%80%8B%e2%80%8d%EF%BB%BF%C2%AD', '/%E2%80%8B%E2%80%8D%EF%BB%BF%C2%AD'],
  'keeps other spaces': ['/%C2%A0%E3%80%80%E2%80%A8', '/%C2%A0%E3%80%80%E2%80%A8'],
  'keeps private and unassigned characters': ['/%EE%80%80%CD%B8%F4%8F%BF%BF', '/%EE%80%80%CD%B8%F4%8F%BF%BF'],
  'keeps bytes that are not UTF-8': ['/%ff%C3%28%e9t%c3%a9', '/%FF%C3(%E9té'],
  'keeps overlong forms and surrogates': ['/%c0%af%E0%80%AF%ED%A0%80', '/%C0%AF%E0%80%AF%ED%A0%80'],
  'encodes a percent sign that begins no escape': ['/100%/%zz/%4%31', '/100%25/%25zz/%2541'],
};

for (const [what, [path, expected]] of Object.entries(cases)) {
  test(`a path ${what}`, () => assert.equal(shownPath(path!), expected));
}

test('showing a shown path again changes nothing', () => {
  const part = fc.constantFrom(
    '%',
    '%2',
    '%c3',
    '%A9',
    '%25',
    '%34',
    '%E2',
    '%80',
    '%8b',
    '4',
    'a',
    '/',
    'ä',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const shown = shownPath(parts.join(''));
      assert.equal(shownPath(shown), shown);
    }),
  );
});

test('an escaped path is shown as the text that was escaped', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'ß', 'ж', '日', '😀', ' ', '~', "'", '+'),
    maxLength: 20,
  });
  fc.assert(fc.property(text, (path) => assert.equal(shownPath(encodeURIComponent(path)), path)));
});
