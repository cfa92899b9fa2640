import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFunnel, readPaths } from '../reports/read-reports.ts';
import { readAddresses } from './read-address.ts';
import { readQuestion } from './read-question.ts';

const rules = { ignoreTrailingSlash: true, ignoreCase: true, ignoreWww: true };
const now = { day: '2026-03-31', at: '2026-03-31 14:05:00' };
const context = { now, minutesAgo: () => now, firstDay: '2026-01-01' };

for (const written of ['/%C3%A4', '/%c3%a4', '/ä']) {
  test(`a filter on the page ${written} finds /ä, with every operator`, () => {
    for (const dimension of ['page', 'entryPage', 'exitPage'] as const) {
      assert.deepEqual(readAddresses({ dimension, is: written }), { dimension, is: '/ä' });
      assert.deepEqual(readAddresses({ dimension, isNot: written }), { dimension, isNot: '/ä' });
      assert.deepEqual(readAddresses({ dimension, anyOf: ['/', written] }), {
        dimension,
        anyOf: ['/', '/ä'],
      });
      assert.deepEqual(readAddresses({ dimension, contains: written }), { dimension, contains: '/ä' });
    }
  });
}

test('a filter on a host finds it in punycode and in letters', () => {
  for (const host of ['xn--mller-kva.example', 'Müller.example'])
    assert.deepEqual(readAddresses({ dimension: 'host', is: host }), {
      dimension: 'host',
      is: 'müller.example',
    });
  for (const part of ['xn--mller-kva', 'XN--MLLER-KVA.ex', 'Müller', 'example'])
    assert.deepEqual(readAddresses({ dimension: 'host', contains: part }), {
      dimension: 'host',
      contains: part.toLowerCase().replace('xn--mller-kva', 'müller'),
    });
  assert.deepEqual(readAddresses({ dimension: 'host', is: '' }), { dimension: 'host', is: '' });
});

test('a filter on a source or a referrer finds its host in punycode too', () => {
  const sources = ['bücher.example', 'xn--bcher-kva.example'];
  for (const [filter, anyOf] of [
    [{ dimension: 'source', is: 'bücher.example' }, sources],
    [{ dimension: 'source', anyOf: ['Google', 'bücher.example'] }, ['Google', ...sources]],
    [
      { dimension: 'referrer', is: 'https://bücher.example/ä?q=ä' },
      ['https://bücher.example/ä?q=ä', 'https://xn--bcher-kva.example/ä?q=ä'],
    ],
  ] as const)
    assert.deepEqual(readAddresses(filter), { dimension: filter.dimension, anyOf });
  for (const filter of [
    { dimension: 'source', anyOf: sources },
    { dimension: 'source', is: 'Zürich' },
    { dimension: 'source', is: 'news.example' },
    { dimension: 'source', is: '' },
    { dimension: 'source', contains: 'bücher' },
    { dimension: 'referrer', is: 'https://news.example/ä' },
  ] as const)
    assert.equal(readAddresses(filter), filter);
});

test('takes filters on other dimensions unchanged', () => {
  for (const dimension of ['source', 'utmTerm', 'event'] as const)
    assert.deepEqual(readAddresses({ dimension, is: '%C3%A4' }, rules), { dimension, is: '%C3%A4' });
});

test("filters, funnels and paths follow the website's choices", () => {
  const asked = { ...context, addressRules: rules };
  const filters = [
    { dimension: 'page', is: '/About/' },
    { dimension: 'host', is: 'www.Example.com' },
  ];
  assert.deepEqual(readQuestion({ filters }, asked).question.filters, [
    { dimension: 'page', is: '/about' },
    { dimension: 'host', is: 'example.com' },
  ]);
  const steps = [{ page: '/About/' }, { page: '/Blog/*' }, { event: 'A/' }];
  assert.deepEqual(readFunnel({ steps }, asked).steps, [
    { page: '/about' },
    { page: '/blog/*' },
    { event: 'A/' },
  ]);
  assert.equal(readPaths({ page: '/%41bout/' }, asked).page, '/about');
});
