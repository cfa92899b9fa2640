import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { createNames } from '#format/names.ts';
import { describeFilter } from './describe-filter.ts';
import { viewWords } from './view-words.ts';
import { viewWordsGerman } from './view-words-german.ts';

const names = createNames('en-GB');

test('describes a filter in words', () => {
  assert.deepEqual(describeFilter({ dimension: 'country', is: 'DE' }, names, viewWords), {
    name: 'Country',
    operator: 'is',
    value: 'Germany',
    text: 'Country is Germany',
  });
  assert.deepEqual(describeFilter({ dimension: 'source', isNot: '' }, names, viewWords), {
    name: 'Source',
    operator: 'isNot',
    value: 'Direct',
    text: 'Source is not Direct',
  });
  assert.deepEqual(describeFilter({ dimension: 'country', anyOf: ['DE', 'AT'] }, names, viewWords), {
    name: 'Country',
    operator: 'anyOf',
    value: 'Germany, Austria',
    text: 'Country is any of Germany, Austria',
  });
});

test('calls a parameter by its own name', () => {
  assert.deepEqual(
    describeFilter({ dimension: 'parameterValue', of: 'plan', contains: 'pro' }, names, viewWords),
    {
      name: 'plan',
      operator: 'contains',
      value: 'pro',
      text: 'plan contains pro',
    },
  );
});

test('describes a filter in the language of the page', () => {
  const german = createNames('de-DE', formatWordsGerman);
  const { text } = describeFilter({ dimension: 'country', isNot: 'DE' }, german, viewWordsGerman);
  assert.equal(text, 'Land ist nicht Deutschland');
});

test('makes values readable and impossible to confuse with others', () => {
  const value = (filter: Parameters<typeof describeFilter>[0]) =>
    describeFilter(filter, names, viewWords).value;
  assert.equal(value({ dimension: 'page', is: '/%C3%BCber-uns' }), '/über-uns');
  assert.equal(value({ dimension: 'page', contains: '%C3%BCber' }), 'über');
  assert.equal(value({ dimension: 'event', is: 'pay\u202epal' }), 'pay\\u{202e}pal');
});
