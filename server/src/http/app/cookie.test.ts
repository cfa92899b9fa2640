import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSessionCookie, sessionCookie } from './cookie.ts';

const token = 'A'.repeat(43);

test('a cookie that is set can be read again, with a separate name for TLS', () => {
  for (const isOnTls of [false, true]) {
    const set = sessionCookie({ token, maxAgeSeconds: 60 }, isOnTls);
    const cookie = `a=b; ${set.split(';')[0]}; c=d`;
    assert.equal(readSessionCookie({ cookie }, isOnTls), token);
    assert.equal(readSessionCookie({ cookie }, !isOnTls), undefined);
    assert.match(set, /; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax/);
    assert.equal(/; Secure/.test(set), isOnTls);
  }
});

test('does not look up what cannot be a token', () => {
  for (const value of ['', 'x', `${token} `, "' or 1=1 --", 'A'.repeat(200)])
    assert.equal(readSessionCookie({ cookie: `trackside_session=${value}!` }, false), undefined);
  assert.equal(readSessionCookie({}, false), undefined);
});

test('clearing it makes it expire', () => {
  assert.match(sessionCookie(undefined, false), /^trackside_session=; Path=\/; Max-Age=0;/);
});
