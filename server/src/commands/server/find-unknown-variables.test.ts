import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnknownVariables } from './find-unknown-variables.ts';

test('a setting that is misspelled is found, with what was probably meant', () => {
  assert.deepEqual(
    findUnknownVariables({ TRACKSIDE_PROT: '80', trackside_port: '80', TRACKSIDE_COLOR: 'x' }),
    [
      'TRACKSIDE_PROT is not a setting of this version and has no effect. Did you mean TRACKSIDE_PORT?',
      'trackside_port is not a setting of this version and has no effect. Did you mean TRACKSIDE_PORT?',
      'TRACKSIDE_COLOR is not a setting of this version and has no effect.',
    ],
  );
});

test('settings and the variables of others are left alone', () => {
  assert.deepEqual(
    findUnknownVariables({ TRACKSIDE_PORT: '1', TRACKSIDE_ADMIN_PASSWORD: 'x', PATH: '/' }),
    [],
  );
});
