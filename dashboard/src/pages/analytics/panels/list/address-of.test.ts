import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from './address-of.ts';

test('links pages to the website, and referrers to their own address', () => {
  assert.equal(addressOf('page', '/pricing', 'shop.example.com'), 'https://shop.example.com/pricing');
  assert.equal(addressOf('exitPage', '/', 'shop.example.com'), 'https://shop.example.com/');
  assert.equal(addressOf('referrer', 'https://example.org/a', 'shop.example.com'), 'https://example.org/a');
});

test('links to the page that the shown path stands for', () => {
  const urlOf = (path: string) => new URL(addressOf('page', path, 'shop.example.com')!).pathname;
  for (const path of ['/caf%C3%A9', '/a%20', '/%2F%3F%23%25', '/%E2%80%8B', '/%E6%97%A5%20b'])
    assert.equal(
      urlOf(path.replaceAll('%C3%A9', 'é').replaceAll('%20', ' ').replace('%E6%97%A5', '日')),
      path,
    );
});

test('makes no link from what is not an address, or could lead elsewhere', () => {
  assert.equal(addressOf('page', '//evil.example', 'shop.example.com'), undefined);
  assert.equal(addressOf('page', '', 'shop.example.com'), undefined);
  assert.equal(addressOf('referrer', 'javascript:alert(1)', 'shop.example.com'), undefined);
  assert.equal(addressOf('referrer', 'android-app://com.slack/', 'shop.example.com'), undefined);
  assert.equal(addressOf('source', 'Google', 'shop.example.com'), undefined);
});
