import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { drillDown, drillUp } from './drill-down.ts';
import { deviceListings, locationListings, sourceListings } from './listings.ts';

const [countries] = locationListings;
const germany: Filter = { dimension: 'country', is: 'DE' };
const bavaria: Filter = { dimension: 'region', is: 'Bavaria' };
const other: Filter = { dimension: 'page', is: '/' };

const ways = (filters: readonly Filter[], listing: Parameters<typeof drillDown>[0] = countries) => {
  const drilled = drillDown(listing, filters);
  return [...drilled.crumbs.map(({ value }) => value), drilled.listing.id].join(' › ');
};

test('leads from a country to its regions, and from there to cities', () => {
  assert.equal(ways([other]), 'country');
  assert.equal(ways([other, germany]), 'DE › region');
  assert.equal(ways([bavaria, germany]), 'DE › Bavaria › city');
  assert.equal(ways([bavaria]), 'country', 'a region without its country is one of many lists');
  assert.equal(
    ways([{ dimension: 'browser', is: 'Firefox' }], deviceListings[0]),
    'Firefox › browserVersion',
  );
  const search: Filter = { dimension: 'channel', is: 'search' };
  assert.equal(ways([search], sourceListings[1]), 'search › source');
  assert.equal(
    ways([search, { dimension: 'source', is: 'Google' }], sourceListings[1]),
    'search › Google › referrer',
  );
});

test('goes no further where there are several values, or an unknown one', () => {
  assert.equal(ways([{ dimension: 'country', anyOf: ['DE', 'AT'] }]), 'country');
  assert.equal(ways([{ dimension: 'country', isNot: 'DE' }]), 'country');
  assert.equal(ways([{ dimension: 'source', is: '' }], sourceListings[0]), 'source');
});

test('a step back removes the filters below it, and no other', () => {
  const filters = [germany, other, bavaria];
  const { crumbs } = drillDown(countries, filters);
  assert.deepEqual(drillUp(filters, crumbs, 1), [germany, other]);
  assert.deepEqual(drillUp(filters, crumbs, 0), [other]);
});
