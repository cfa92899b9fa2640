import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportAddress } from './export-address.ts';

test('names the format, and the days if they are limited', () => {
  assert.equal(
    exportAddress(3, { format: 'parquet', from: '', to: '' }),
    '/api/websites/3/export?format=parquet',
  );
  assert.equal(
    exportAddress(3, { format: 'csv', from: '2026-11-01', to: '2026-11-30' }),
    '/api/websites/3/export?format=csv&from=2026-11-01&to=2026-11-30',
  );
});
