import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress, isBehindUnknownProxy } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

test('is the address of the connection, in one spelling', () => {
  assert.equal(clientAddress(from('203.0.113.9'), 0), '203.0.113.9');
  assert.equal(clientAddress(from('::ffff:203.0.113.9'), 0), '203.0.113.9');
  assert.equal(clientAddress(from('2001:DB8:0:0::1'), 0), '2001:db8::1');
  assert.equal(clientAddress(from('fe80::1%eth0'), 0), 'fe80::1');
});

test('is what the outermost trusted proxy saw, counted from the right', () => {
  assert.equal(clientAddress(from('10.0.0.2', '6.6.6.6, 203.0.113.9'), 1), '203.0.113.9');
  assert.equal(clientAddress(from('10.0.0.2', '6.6.6.6, 203.0.113.9, 10.0.0.1'), 2), '203.0.113.9');
});

test('is unknown behind an untrusted proxy nearby, or if a trusted one sends nothing usable', () => {
  for (const peer of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.7', 'fd00::1'])
    assert.equal(clientAddress(from(peer, '6.6.6.6'), 0), undefined, peer);
  assert.equal(clientAddress(from('10.0.0.2'), 1), undefined);
  assert.equal(clientAddress(from('10.0.0.2', 'unknown'), 1), undefined);
});

test('a distant sender cannot hide behind the header', () => {
  assert.equal(clientAddress(from('203.0.113.9', '6.6.6.6'), 0), '203.0.113.9');
});

test('a nearby proxy is detected by either of its headers', () => {
  const by = (headers: object, remoteAddress: string) =>
    ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;
  const forwarded = { forwarded: 'for=6.6.6.6' };
  assert.equal(isBehindUnknownProxy(by(forwarded, '::ffff:10.0.0.2')), true);
  assert.equal(clientAddress(by(forwarded, '10.0.0.2'), 0), undefined);
  assert.equal(isBehindUnknownProxy(by({ 'x-forwarded-for': '' }, '127.0.0.1')), true);
  assert.equal(isBehindUnknownProxy(by({}, '127.0.0.1')), false);
  assert.equal(isBehindUnknownProxy(by(forwarded, '203.0.113.9')), false);
});
