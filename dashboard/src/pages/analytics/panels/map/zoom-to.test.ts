import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zoomTo } from './zoom-to.ts';

const world = '0 0 1000 500';

test('centers a country, in the proportions of the world', () => {
  assert.equal(zoomTo({ x: 400, y: 200, width: 200, height: 40 }, world), '375 157.5 250 125');
});

test('shows the surroundings of a small country', () => {
  assert.equal(zoomTo({ x: 499, y: 249, width: 2, height: 2 }, world), '428.6 214.3 142.9 71.4');
});

test('stays within the map', () => {
  assert.equal(zoomTo({ x: 0, y: 0, width: 2, height: 2 }, world), '0 0 142.9 71.4');
  assert.equal(zoomTo({ x: 998, y: 498, width: 2, height: 2 }, world), '857.1 428.6 142.9 71.4');
  assert.equal(zoomTo({ x: 0, y: 0, width: 1000, height: 400 }, world), '0 0 1000 500');
});
