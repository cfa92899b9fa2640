import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnknownVariables } from './find-unknown-variables.ts';

test('finds a misspelled setting, and suggests the right one', () => {
  assert.deepEqual(
    findUnknownVariables({ TRACKSIDE_PROT: '80', trackside_port: '80', TRACKSIDE_COLOR: 'x' }),
    [
      'TRACKSIDE_PROT is not a setting of this version and has no effect. Did you mean TRACKSIDE_PORT?',
      'trackside_port is not a setting of this version and has no effect. Did you mean TRACKSIDE_PORT?',
      'TRACKSIDE_COLOR is not a setting of this version and has no effect.',
    ],
  );
});

test('ignores known settings and unrelated variables', () => {
  assert.deepEqual(
    findUnknownVariables({ TRACKSIDE_PORT: '1', TRACKSIDE_ADMIN_PASSWORD: 'x', PATH: '/' }),
    [],
  );
});
