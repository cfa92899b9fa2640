import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageView } from '../../test/support/records.ts';
import { recordColumns } from '../records/record-columns.ts';
import { createRowWriter } from './create-row-writer.ts';

const website = { id: 1, domain: 'demo.trackside.test', timezone: 'Europe/Berlin' };
const morning = Date.parse('2026-03-10T09:00:00Z');
const dayMs = 24 * 60 * 60 * 1000;

function visitorAt(atMs: number, clientId: string | null, seed = 1): string {
  const body = pageView({ Identify: { ClientId: clientId } });
  const row = createRowWriter(website, seed)({ atMs, valid: { kind: 'page_view', body } });
  return JSON.parse(row)[recordColumns.indexOf('visitor_id')];
}

test('recognizes a visitor for the day, and for longer with a ClientId', () => {
  assert.equal(visitorAt(morning, null), visitorAt(morning + 1000, null));
  assert.notEqual(visitorAt(morning, null), visitorAt(morning + dayMs, null));
  assert.equal(visitorAt(morning, 'member-1'), visitorAt(morning + dayMs, 'member-1'));
});

test('takes its secrets from the seed', () => {
  assert.notEqual(visitorAt(morning, null, 1), visitorAt(morning, null, 2));
  assert.notEqual(visitorAt(morning, 'member-1', 1), visitorAt(morning, 'member-1', 2));
});
