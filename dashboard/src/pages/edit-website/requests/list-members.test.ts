import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMembers } from './list-members.ts';

const plain = { empty: 'empty', spell: (text: string) => text };

test('lists the members of a masked body, indented by level', () => {
  const shape = { Name: 'text with 3 characters', Parameters: [{ Name: 'number' }], Metrics: { Screen: {} } };
  assert.deepEqual(listMembers(shape, plain), [
    { depth: 0, name: 'Name', value: 'text with 3 characters' },
    { depth: 0, name: 'Parameters', value: '' },
    { depth: 1, name: '1.', value: '' },
    { depth: 2, name: 'Name', value: 'number' },
    { depth: 0, name: 'Metrics', value: '' },
    { depth: 1, name: 'Screen', value: 'empty' },
  ]);
});

test('shows a body that is not an object as it is', () => {
  assert.deepEqual(listMembers('not JSON, 12 bytes', plain), [
    { depth: 0, name: '', value: 'not JSON, 12 bytes' },
  ]);
});
