import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRelease } from './read-release.ts';

/** Reads the option with the variable set, or removed. */
function readWith(variable: string | undefined, option?: unknown): string | undefined {
  const { TRACKSIDE_RELEASE: before } = process.env;
  const set = (text: string | undefined) => {
    if (text === undefined) delete process.env.TRACKSIDE_RELEASE;
    else process.env.TRACKSIDE_RELEASE = text;
  };
  set(variable);
  try {
    return readRelease(option);
  } finally {
    set(before);
  }
}

for (const [given, release] of [
  ['1.4.2', '1.4.2'],
  ['  v7 (canary)\n', 'v7 (canary)'],
  ['x'.repeat(64), 'x'.repeat(64)],
] as const) {
  test(`accepts ${JSON.stringify(given)}`, () => assert.equal(readWith('other', given), release));
}

test('takes the release from the environment by default', () => {
  assert.equal(readWith(' 3f9c2d1 '), '3f9c2d1');
});

for (const value of [undefined, '', '  ']) {
  test(`has no release if the variable is ${JSON.stringify(value)}`, () => {
    assert.equal(readWith(value), undefined);
  });
}

for (const [what, value, says] of [
  ['an empty one', '', /^Trackside: release: expected 1 to 64 .* got an empty string\.$/],
  ['one of spaces', '   ', /got an empty string/],
  ['a long one', 'x'.repeat(65), /got 65 characters/],
  ['one with a line break', 'a\nb', /got others/],
  ['one outside ASCII', 'größer', /got others/],
  ['a number', 7, /got a number/],
  ['null', null, /got nothing/],
] as const) {
  test(`refuses ${what}`, () => {
    assert.throws(() => readRelease(value), { message: says });
  });
}

test('names the variable if that is what is wrong', () => {
  assert.throws(() => readWith('x'.repeat(65)), { message: /^Trackside: TRACKSIDE_RELEASE: expected / });
});

test('has no release where there is no environment, or no permission to read it', () => {
  const { process } = globalThis;
  const forbidden = {
    get env(): never {
      throw new Error('not permitted');
    },
  };
  for (const other of [undefined, {}, forbidden]) {
    Object.assign(globalThis, { process: other });
    try {
      assert.equal(readRelease(undefined), undefined);
    } finally {
      Object.assign(globalThis, { process });
    }
  }
});
