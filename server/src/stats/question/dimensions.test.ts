import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listDimensions,
  dimensions as meanings,
  namedDimensions,
} from '@trackside/contract/stats/dimensions.ts';
import { metrics as metricMeanings } from '@trackside/contract/stats/metrics.ts';
import { type Dimension, dimensions } from './dimensions.ts';
import { metrics } from './metrics.ts';

const namesWhere = (holds: (dimension: Dimension) => boolean) =>
  Object.entries<Dimension>(dimensions).flatMap(([name, dimension]) => (holds(dimension) ? [name] : []));

test('the store knows the dimensions and metrics of the contract', () => {
  assert.deepEqual(Object.keys(dimensions), Object.keys(meanings));
  assert.deepEqual(Object.keys(metrics), Object.keys(metricMeanings));
});

test('the contract names the dimensions with any number of values, and those "of" a name', () => {
  assert.deepEqual(
    namesWhere(({ level }) => level === 'list'),
    listDimensions,
  );
  assert.deepEqual(
    namesWhere(({ sqlOf }) => sqlOf !== undefined),
    namedDimensions,
  );
});
