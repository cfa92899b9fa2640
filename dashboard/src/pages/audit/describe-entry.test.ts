import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { type AuditWords, auditWords } from './audit-words.ts';
import { auditWordsGerman } from './audit-words-german.ts';
import { describeEntry, nameActor } from './describe-entry.ts';

function describeIn(words: AuditWords, locale: string) {
  const format = createFormat({ locale, timeZone: 'America/New_York' });
  return (action: string, subject: string, detail = {}) => {
    const at = '2026-11-14T12:00:00.000Z';
    const entry = { id: 1, at, actor: 'owner@example.com', websiteId: 1, action, subject, detail };
    return describeEntry(entry, words, format);
  };
}
const describe = describeIn(auditWords, 'en-US');
const describeGerman = describeIn(auditWordsGerman, 'de-DE');

test('says what was changed, with the old and the new value', () => {
  const quota = { contingent: { from: null, to: 250_000 } };
  assert.equal(
    describe('website.contingent-changed', 'shop.example.com', quota),
    'changed shop.example.com’s monthly quota from no limit to 250,000',
  );
  assert.equal(
    describeGerman('website.contingent-changed', 'shop.example.com', quota),
    'hat das Monatskontingent von shop.example.com von „unbegrenzt“ auf 250.000 geändert',
  );
  const changes = { name: { from: 'a', to: 'b' }, timezone: { from: 'UTC', to: 'Asia/Tokyo' } };
  assert.equal(
    describe('website.changed', 'shop.example.com', changes),
    'changed shop.example.com: name from “a” to “b” and timezone from “UTC” to “Asia/Tokyo”',
  );
});

test('uses the right plurals for days, hours and records', () => {
  const retentionDays = { from: null, to: 1 };
  assert.equal(
    describe('website.retention-changed', 'shop.example.com', { retentionDays }),
    'changed how long shop.example.com keeps records from forever to 1 day',
  );
  assert.equal(
    describe('website.key-regenerated', 'shop.example.com', { keepOldHours: 1 }),
    'regenerated shop.example.com’s API key; the old one worked for another 1 hour',
  );
  assert.equal(
    describe('person.erased', 'shop.example.com', { records: 1 }),
    'erased 1 record of one person from shop.example.com',
  );
});

test('says which differences between addresses are now ignored', () => {
  const detail = { ignoreCase: { from: false, to: true }, ignoreWww: { from: true, to: false } };
  assert.equal(
    describe('website.addresses-changed', 'shop.example.com', detail),
    'changed which of shop.example.com’s addresses count as one page: ignore letter case on, ignore www off',
  );
});

test('says which origins may read', () => {
  const readOrigins = { from: [], to: ['https://a.example', 'https://b.example'] };
  assert.equal(
    describe('website.read-origins-changed', 'shop.example.com', { readOrigins }),
    'changed which origins can read shop.example.com from none to https://a.example, https://b.example',
  );
});

test('says which rules came and went', () => {
  const detail = { added: ['path /admin/*', 'event debug'], removed: ['network 203.0.113.0/24'] };
  assert.equal(
    describe('website.exclusions-changed', 'shop.example.com', detail),
    'changed which of shop.example.com’s records are excluded: ' +
      'added path /admin/*, event debug; removed network 203.0.113.0/24',
  );
});

test('says which days of a website were exported', () => {
  const exported = (detail: object) => describe('website.exported', 'shop.example.com', detail);
  assert.equal(exported({}), 'exported shop.example.com’s records');
  assert.equal(
    exported({ from: '2026-11-01', to: '2026-11-03' }),
    'exported shop.example.com’s records from Nov 1, 2026 up to Nov 3, 2026',
  );
});

test('names the note and the funnel', () => {
  const note = { day: '2026-11-03', text: 'New prices' };
  assert.equal(
    describe('note.added', 'shop.example.com', note),
    'added the note “New prices” for Nov 3, 2026 to shop.example.com',
  );
  assert.equal(
    describeGerman('note.added', 'shop.example.com', note),
    'hat bei shop.example.com die Notiz „New prices“ zum 3. Nov. 2026 hinzugefügt',
  );
  assert.equal(
    describe('funnel.removed', 'shop.example.com', { name: 'Buying a desk' }),
    'removed the funnel “Buying a desk” from shop.example.com',
  );
});

test('distinguishes a user’s own password from that of another', () => {
  assert.equal(describe('user.password-changed', 'owner@example.com'), 'changed their password');
  assert.equal(
    describe('user.password-changed', 'guest@example.com'),
    'set a new password for guest@example.com',
  );
});

test('describes even an unknown action', () => {
  assert.equal(describe('website.moved-away', 'shop.example.com'), 'website moved away: shop.example.com');
});

test('has a sentence for every action that the server records', () => {
  const list = new URL('../../../../server/src/control/accounts/audit-log.ts', import.meta.url);
  const [, union = ''] = /export type AuditAction =([^;]+);/.exec(readFileSync(list, 'utf8')) ?? [];
  const actions = [...union.matchAll(/'([a-z.-]+)'/g)].map(([, action]) => action!);
  assert.ok(actions.length > 15, 'expected to find the actions');
  for (const action of actions) {
    assert.ok(Object.hasOwn(auditWords.actions, action), action);
    assert.ok(Object.hasOwn(auditWordsGerman.actions, action), `${action} in German`);
  }
});

test('names a segment of the website, but not a personal one', () => {
  assert.equal(
    describe('segment.added', 'shop.example.com', { name: 'Mobile' }),
    'saved the segment “Mobile” for shop.example.com',
  );
  assert.equal(
    describeGerman('segment.removed', 'shop.example.com', { isPersonal: true }),
    'hat ein eigenes Segment für shop.example.com gelöscht',
  );
});

test('names those who act and are no users', () => {
  const names = ['command line', 'environment', 'server', 'ada@example.com'].map((actor) =>
    nameActor({ actor }, auditWords),
  );
  assert.deepEqual(names, ['The command line', 'The environment', 'The server', 'ada@example.com']);
  assert.equal(nameActor({ actor: 'server' }, auditWordsGerman), 'Der Server');
});
