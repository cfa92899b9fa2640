import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnswer } from './assert-answer.ts';
import { readCase } from './load-cases.ts';

const check = (answer: object, message: string, over: object = {}) =>
  assertAnswer(
    readCase(
      'refused/a-case.json',
      'refused',
      JSON.stringify({
        title: 'refuses it',
        about: 'Body',
        request: { method: 'POST', path: '/' },
        answer: { code: 400, ...answer },
      }),
    ),
    {
      status: 400,
      headers: { 'content-type': 'application/json', allow: 'POST' },
      body: JSON.stringify({ Code: 400, Message: message }),
      ...over,
    },
  );
const fails = { name: 'AssertionError' };

test('finds a field only by its whole path', () => {
  check({ field: 'Metrics' }, 'Metrics: expected an object, got null');
  check({ field: 'Parameters[1].Name' }, 'Parameters[1].Name: expected text.');
  assert.throws(() => check({ field: 'Metrics' }, 'Metrics.Page: expected an object'), fails);
  assert.throws(() => check({ field: 'Name' }, 'Parameters[1].Name: expected text'), fails);
  assert.throws(() => check({ field: 'Parameters' }, 'Parameters[1]: expected an object'), fails);
});

test('finds the text of a Message only as whole words', () => {
  check({ says: ['2048', 'en'] }, 'at most 2,048, send "en" instead');
  assert.throws(() => check({ says: ['en'] }, 'got en-US, send less'), fails);
  assert.throws(() => check({ says: ['12'] }, 'at most 120'), fails);
});

test('fails when a Message shows what it must hide', () => {
  check({ hides: ['203.0.113.7'] }, 'got a string');
  assert.throws(() => check({ hides: ['203.0.113.7'] }, 'got 203.0.113.7:80'), fails);
});

test('compares headers as present, absent or exact', () => {
  check({ headers: { Allow: 'POST', 'Retry-After': 'absent' } }, 'x');
  check({ headers: { Allow: 'present' } }, 'x');
  assert.throws(() => check({ headers: { Allow: 'absent' } }, 'x'), fails);
  assert.throws(() => check({ headers: { Allow: 'GET' } }, 'x'), fails);
  assert.throws(() => check({ headers: { 'Retry-After': 'present' } }, 'x'), fails);
});

test('fails on a status, shape or type that differs from every answer’s', () => {
  assert.throws(() => check({}, 'x', { status: 200 }), fails);
  assert.throws(() => check({}, 'x', { body: '{"Code":400,"Message":"x","Field":"y"}' }), fails);
  assert.throws(() => check({}, 'x', { body: '{"Code":"400","Message":"x"}' }), fails);
  assert.throws(() => check({}, ''), fails);
  assert.throws(() => check({}, 'x', { headers: { 'content-type': 'text/html' } }), fails);
});
