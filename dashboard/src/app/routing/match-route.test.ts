import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRoute } from './match-route.ts';

const pageAt = (path: string) => matchRoute(path).page;

test('finds the page at each path', () => {
  assert.equal(pageAt('/'), 'websites');
  assert.equal(pageAt('/websites'), 'websites');
  assert.equal(pageAt('/websites/'), 'websites');
  assert.equal(pageAt('/websites/new'), 'add-website');
  assert.equal(pageAt('/audit'), 'audit');
});

test('reads the website from the path', () => {
  assert.deepEqual(matchRoute('/websites/12/settings'), {
    page: 'edit-website',
    audience: 'admin',
    websiteId: 12,
  });
  assert.deepEqual(matchRoute('/websites/12'), { page: 'website', audience: 'user', websiteId: 12 });
});

test('a public link is for anyone, alone or embedded in another page', () => {
  for (const path of ['/share/q7hV2mXc0TzLd9RkA4sEwg', '/share/q7hV2mXc0TzLd9RkA4sEwg/embed'])
    assert.deepEqual(matchRoute(path), { page: 'share', audience: 'anyone', websiteId: 0 });
});

test('finds nothing at a path that is not ours', () => {
  for (const path of [
    '/websites/0',
    '/websites/-1',
    '/websites/1e3',
    '/websites/12/other',
    '/share',
    '/share/x/other',
    '/share/x%20y',
    '/api/websites',
  ])
    assert.equal(pageAt(path), 'not-found', path);
});

test('reserves pages that change settings for admins', () => {
  for (const path of ['/users', '/audit', '/websites/new', '/websites/1/settings', '/websites/1/integrate'])
    assert.equal(matchRoute(path).audience, 'admin', path);
});
