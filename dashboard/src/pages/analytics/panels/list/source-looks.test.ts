import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookOf } from './source-looks.ts';

test('gives a well-known source its own letter and color', () => {
  assert.deepEqual(lookOf('Google'), { letter: 'G', colour: '#4285f4', icon: 'google' });
  assert.equal(lookOf('').letter, '→');
  assert.equal(lookOf('Autumn newsletter').letter, '✉');
});

test('gives any other source its first letter, and always the same color', () => {
  assert.equal(lookOf('www.example.org').letter, 'e');
  assert.equal(lookOf('🦊 fox').letter, '🦊');
  assert.deepEqual(lookOf('example.org'), lookOf('example.org'));
  assert.match(lookOf('constructor').colour, /^#[0-9a-f]{6}$/);
});
