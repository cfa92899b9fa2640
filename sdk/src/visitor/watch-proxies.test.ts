import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRequest } from './test-request.ts';
import { createProxyWatch } from './watch-proxies.ts';

const visitor = '203.0.113.7';
const proxy = '10.0.0.1';
const fromProxy = makeRequest(proxy, { 'x-forwarded-for': visitor });

test('says once that all visitors would be one, if a proxy is in front and none is trusted', () => {
  const watch = createProxyWatch(undefined);
  assert.equal(watch(makeRequest(visitor)), undefined);
  assert.equal(watch(makeRequest(proxy)), undefined);
  const message = watch(fromProxy) ?? '';
  assert.match(message, /Requests come from 10\.0\.0\.1 with x-forwarded-for/);
  assert.match(message, /all visitors are counted as 10\.0\.0\.1: set proxies/);
  assert.match(message, /\{ networks: \['10\.0\.0\.1'\] \} or \{ hops: 1 \}\.$/);
  assert.equal(watch(fromProxy), undefined);
});

test('notices a proxy on the same machine, and one that writes Forwarded', () => {
  assert.match(
    createProxyWatch(undefined)(makeRequest('::1', { 'x-forwarded-for': visitor })) ?? '',
    /counted as ::1/,
  );
  const forwarded = makeRequest('::ffff:127.0.0.1', { forwarded: `for=${visitor}` });
  assert.match(
    createProxyWatch(undefined)(forwarded) ?? '',
    /counted as 127\.0\.0\.1.*\{ hops: 1, list: 'forwarded' \}/,
  );
});

test('suggests the header of a platform first', () => {
  const both = makeRequest(proxy, { 'x-forwarded-for': visitor, 'cf-connecting-ip': visitor });
  assert.match(
    createProxyWatch(undefined)(both) ?? '',
    /or \{ header: 'cf-connecting-ip' \} if that platform comes first/,
  );
  const edge = makeRequest('198.51.100.9', { 'cf-connecting-ip': visitor });
  assert.match(
    createProxyWatch(undefined)(edge) ?? '',
    /If that platform .* \{ header: 'cf-connecting-ip' \}/,
  );
  const behindTwo = makeRequest(proxy, {
    'x-forwarded-for': `${visitor}, 198.51.100.9`,
    'cf-connecting-ip': visitor,
  });
  assert.match(createProxyWatch({ hops: 1 })(behindTwo) ?? '', /If that platform/);
});

test('says nothing if the visitor is found', () => {
  const whole = makeRequest(proxy, { 'x-forwarded-for': visitor, 'cf-connecting-ip': visitor });
  for (const trust of [{ hops: 1 }, { networks: ['private'] }, { header: 'cf-connecting-ip' }]) {
    assert.equal(createProxyWatch(trust)(whole), undefined);
  }
  // A visitor who sends such headers to a server without a proxy is counted by the connection.
  assert.equal(
    createProxyWatch(undefined)(makeRequest(visitor, { 'x-forwarded-for': '10.0.0.9' })),
    undefined,
  );
  assert.equal(createProxyWatch({ networks: ['private'] })(makeRequest(visitor)), undefined);
});

test('says that an internal peer is missing from the networks', () => {
  const watch = createProxyWatch({ networks: ['loopback'] });
  assert.match(watch(fromProxy) ?? '', /counted as 10\.0\.0\.1: add 10\.0\.0\.1 to proxies\.networks/);
  assert.equal(watch(makeRequest('192.168.0.9')), undefined);
});

test('says that the configured header does not arrive', () => {
  for (const trust of [{ hops: 1 }, { networks: ['private'] }]) {
    const message = createProxyWatch(trust)(makeRequest(proxy)) ?? '';
    assert.match(message, /expects x-forwarded-for, that is missing in a request from 10\.0\.0\.1/);
  }
  assert.match(
    createProxyWatch({ header: 'fly-client-ip' })(fromProxy) ?? '',
    /expects fly-client-ip, that is missing/,
  );
  const hidden = makeRequest(proxy, { 'x-forwarded-for': 'unknown' });
  assert.match(createProxyWatch({ hops: 1 })(hidden) ?? '', /whose address cannot be read/);
});

test('says that hops is too low if it gives an internal address', () => {
  const chain = makeRequest(proxy, { 'x-forwarded-for': `${visitor}, 10.0.0.2` });
  assert.match(
    createProxyWatch({ hops: 1 })(chain) ?? '',
    /hops is 1, which gives 10\.0\.0\.2.*\{ hops: 2 \}/,
  );
  const intranet = makeRequest(proxy, { 'x-forwarded-for': '10.7.7.7' });
  assert.equal(createProxyWatch({ hops: 1 })(intranet), undefined);
});

test('says that the runtime does not reveal the address of the connection', () => {
  assert.match(createProxyWatch(undefined)(makeRequest(undefined)) ?? '', /unknown here.*set proxies/);
  const onPlatform = makeRequest(undefined, {
    'x-vercel-forwarded-for': visitor,
    'x-forwarded-for': visitor,
  });
  assert.match(createProxyWatch(undefined)(onPlatform) ?? '', /\{ header: 'x-vercel-forwarded-for' \}/);
  assert.match(createProxyWatch({ networks: ['loopback'] })(onPlatform) ?? '', /unknown here/);
  assert.equal(createProxyWatch({ hops: 1 })(onPlatform), undefined);
});

test('says each thing once, even if another was said in between', () => {
  const watch = createProxyWatch(undefined);
  assert.ok(watch(fromProxy));
  assert.ok(watch(makeRequest(undefined)));
  assert.equal(watch(fromProxy), undefined);
  assert.equal(watch(makeRequest(undefined)), undefined);
});

test('refuses a wrong configuration as the reader does', () => {
  assert.throws(() => createProxyWatch({ hops: 0 }), /proxies\.hops/);
});
