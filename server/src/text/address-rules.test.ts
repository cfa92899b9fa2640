import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainRules, toHost, toPage, toPartOfPage } from './address-rules.ts';

const ignoreAll = { ignoreTrailingSlash: true, ignoreCase: true, ignoreWww: true };

test('by default, different addresses are different pages', () => {
  for (const path of ['/About', '/about/', '/about']) assert.equal(toPage(path, plainRules), path);
  for (const host of ['www.example.com', 'example.com']) assert.equal(toHost(host, plainRules), host);
});

test('a trailing slash can be ignored, except that of the front page', () => {
  const rules = { ...plainRules, ignoreTrailingSlash: true };
  const shown = ['/about/', '/about//', '/About', '/', '//', '/a%2F/'].map((path) => toPage(path, rules));
  assert.deepEqual(shown, ['/about', '/about', '/About', '/', '/', '/a%2F']);
  assert.equal(toPartOfPage('/blog/', rules), '/blog/');
});

test('letter case can be ignored, even that of encoded letters', () => {
  const rules = { ...plainRules, ignoreCase: true };
  assert.deepEqual(
    ['/About/%C3%84', '/ABOUT/Ä', '/a%2Fb'].map((path) => toPage(path, rules)),
    ['/about/ä', '/about/ä', '/a%2fb'],
  );
  assert.equal(toPartOfPage('About', rules), 'about');
});

test('www can be ignored in front of a domain', () => {
  const hosts = [
    'www.example.com',
    'www.example.com:8080',
    'www.com',
    'www',
    'wwww.example.com',
    'www.www.a.test',
  ];
  assert.deepEqual(
    hosts.map((host) => toHost(host, ignoreAll)),
    ['example.com', 'example.com:8080', 'www.com', 'www', 'wwww.example.com', 'a.test'],
  );
});

test('a host is the same in punycode, in letters and in capitals', () => {
  for (const host of ['xn--mller-kva.example', 'müller.example', 'MÜLLER.example', 'Mu\u0308ller.example'])
    assert.equal(toHost(host, plainRules), 'müller.example');
});

test('showing a shown address again changes nothing', () => {
  for (const path of ['/About/%C3%84//', '/%2F/', '//', '/100%']) {
    const shown = toPage(path, ignoreAll);
    assert.equal(toPage(shown, ignoreAll), shown);
  }
  for (const host of ['www.xn--mller-kva.example:8080', 'xn--80ak6aa92e.com', 'www.www.www.com'])
    assert.equal(toHost(toHost(host, ignoreAll), ignoreAll), toHost(host, ignoreAll));
});
