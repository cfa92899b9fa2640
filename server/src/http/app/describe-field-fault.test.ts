import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppFault } from './app-fault.ts';
import { exclusionsBody } from './forms.ts';
import { readForm } from './read-form.ts';

const rule = { kind: 'path', value: '/admin/*' };

const faults: [given: unknown, says: RegExp][] = [
  [rule, /^exclusions: Expected a list of at most \d+\.$/],
  [[rule, 'a text'], /^exclusions: Expected an object with kind and value\.$/],
  [[null], /^exclusions: Expected an object with kind and value\.$/],
  [[[]], /^exclusions: Expected an object with kind and value\.$/],
  [[{ value: '/a' }], /^exclusions: kind: Expected network or host or /],
  [[{ ...rule, kind: 'colour' }], /^exclusions: kind: Expected network or host or /],
  [[{ ...rule, value: 7 }], /^exclusions: value: Expected text\.$/],
  [[JSON.parse('{"__proto__":{"kind":"path","value":"/a"}}')], /^exclusions: kind: Expected network/],
  [[{ ...rule, note: '' }], /^exclusions: Expected nothing besides kind and value\.$/],
];

for (const [given, says] of faults)
  test(`a list of objects says what is wrong with ${JSON.stringify(given)}`, () => {
    assert.throws(
      () => readForm({ exclusions: given }, exclusionsBody),
      (error: unknown) => error instanceof AppFault && says.test(error.message),
    );
  });
