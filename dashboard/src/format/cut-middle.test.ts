import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutMiddle } from './cut-middle.ts';

test('leaves a text of 54 characters as it is', () => {
  assert.equal(cutMiddle('/'.padEnd(54, 'a')), '/'.padEnd(54, 'a'));
});

test('leaves out the middle of a longer text, so that two that differ at their end look different', () => {
  const path = `/blog/${'letter-from-the-workshop-'.repeat(80)}`;
  assert.equal(cutMiddle(`${path}17`), '/blog/letter-from-the-worksho…ter-from-the-workshop-17');
  assert.notEqual(cutMiddle(`${path}17`), cutMiddle(`${path}18`));
});

test('never cuts through a letter', () => {
  const family = '👨‍👩‍👧';
  assert.equal(cutMiddle(`/${family.repeat(53)}`), `/${family.repeat(53)}`);
  assert.equal(cutMiddle(family.repeat(90)), `${family.repeat(29)}…${family.repeat(24)}`);
});
