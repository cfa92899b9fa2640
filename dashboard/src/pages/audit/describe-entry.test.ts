import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { describeEntry } from './describe-entry.ts';

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC' });
const describe = (action: string, subject: string, detail = {}) =>
  describeEntry(
    {
      id: 1,
      at: '2026-11-14T12:00:00.000Z',
      actor: 'owner@example.com',
      websiteId: 1,
      action,
      subject,
      detail,
    },
    format,
  );

test('tells what was changed from what to what', () => {
  assert.equal(
    describe('website.contingent-changed', 'shop.example.com', { contingent: { from: null, to: 250_000 } }),
    'changed the contingent of shop.example.com from no limit to 250,000',
  );
  assert.equal(
    describe('website.changed', 'shop.example.com', {
      name: { from: 'a', to: 'b' },
      timezone: { from: 'UTC', to: 'Asia/Tokyo' },
    }),
    'changed shop.example.com: name from “a” to “b” and timezone from “UTC” to “Asia/Tokyo”',
  );
});

test('tells which differences of addresses are ignored from now on', () => {
  const detail = { ignoreCase: { from: false, to: true }, ignoreWww: { from: true, to: false } };
  assert.equal(
    describe('website.addresses-changed', 'shop.example.com', detail),
    'changed which addresses of shop.example.com are one page: ignore case on, ignore www off',
  );
});

test('tells which origins may read', () => {
  const readOrigins = { from: [], to: ['https://a.example', 'https://b.example'] };
  assert.equal(
    describe('website.read-origins-changed', 'shop.example.com', { readOrigins }),
    'changed which origins may read shop.example.com from none to https://a.example, https://b.example',
  );
});

test('tells which days of a website were exported', () => {
  const exported = (detail: object) => describe('website.exported', 'shop.example.com', detail);
  assert.equal(exported({}), 'exported the records of shop.example.com');
  assert.equal(
    exported({ from: '2026-11-01', to: '2026-11-03' }),
    'exported the records of shop.example.com from 2026-11-01 up to 2026-11-03',
  );
});

test('tells which note and which funnel', () => {
  assert.equal(
    describe('note.added', 'shop.example.com', { day: '2026-11-03', text: 'New prices' }),
    'added the note “New prices” to 2026-11-03 of shop.example.com',
  );
  assert.equal(
    describe('funnel.removed', 'shop.example.com', { name: 'Buying a desk' }),
    'removed the funnel “Buying a desk” from shop.example.com',
  );
});

test('tells the own password from that of another', () => {
  assert.equal(describe('user.password-changed', 'owner@example.com'), 'changed their password');
  assert.equal(
    describe('user.password-changed', 'guest@example.com'),
    'set a new password for guest@example.com',
  );
});

test('still says something of an action that it does not know', () => {
  assert.equal(describe('website.moved-away', 'shop.example.com'), 'website moved away: shop.example.com');
});

test('has a sentence for every action that the server writes', () => {
  const list = new URL('../../../../server/src/control/accounts/audit-log.ts', import.meta.url);
  const [, union = ''] = /export type AuditAction =([^;]+);/.exec(readFileSync(list, 'utf8')) ?? [];
  const actions = [...union.matchAll(/'([a-z.-]+)'/g)].map(([, action]) => action!);
  assert.ok(actions.length > 15, 'expected to find the actions');
  for (const action of actions) {
    const sentence = describe(action, 'shop.example.com');
    assert.notEqual(sentence, `${action.replace(/[.-]/g, ' ')}: shop.example.com`, action);
  }
});
