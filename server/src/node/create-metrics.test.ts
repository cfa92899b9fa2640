import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TrackingCounts } from '../http/tracking/create-tracking.ts';
import { createMetrics } from './create-metrics.ts';

const now = Date.parse('2026-03-10T09:00:00Z');

function open(t: TestContext, engine: { restarts: number; isReady: boolean; rssBytes: number | undefined }) {
  const counts: TrackingCounts = {
    accepted: { page_view: 3, event: 4 },
    repeated: { page_view: 1, event: 0 },
    excluded: new Map([[7, new Map([['path', 5]])]]),
    refused: new Map([['malformed', 2]]),
    dryRuns: 6,
  };
  const segment = { number: 1, node: 'n', columns: [], createdAt: now - 90_000, firstFrame: 10, end: 20 };
  let segments = [segment];
  const metrics = createMetrics({
    counts,
    outcomes: () => new Map([[7, { accepted: 3, refused: 2, excluded: 5, over_quota: 1, repeated: 4 }]]),
    idempotencyIndex: { size: () => 8 },
    journal: { bytes: () => 1234, segments: () => segments, oldestUnansweredMs: () => 7250 },
    loader: () => ({
      loadedRows: 5,
      insertedBatches: 2,
      unverifiedBatches: 1,
      lagMs: 1500,
      lastError: undefined,
      storeUuid: undefined,
      waitingBytes: 321,
      toCompareBatches: 9,
      toLoadAgain: { batches: 3, records: 777 },
    }),
    engine: () => engine,
    damage: () => [
      { id: 'journal-frames-3-90-512', kind: 'journal-frames', says: '', todo: '', foundAt: '' },
      { id: 'journal-frames-4-70-88', kind: 'journal-frames', says: '', todo: '', foundAt: '' },
      { id: 'store-part-records-a', kind: 'store-part', says: '', todo: '', foundAt: '' },
    ],
    checked: () => ({ parts: 11, journalBytes: 12, rounds: 13 }),
    live: () => ({ streams: 6, questions: 7 }),
    keyHolders: () => [
      { leftAt: null, isSilent: false },
      { leftAt: null, isSilent: true },
      { leftAt: null, isSilent: true },
      { leftAt: now, isSilent: false },
    ],
    now: () => now,
  });
  t.after(() => metrics.stop());
  const empty = () => {
    segments = [];
  };
  return { ...metrics, counts, empty };
}

test('reports the current values of the parts', async (t) => {
  const { registry, onGroup, counts } = open(t, { restarts: 1, isReady: true, rssBytes: 99 });
  onGroup({ records: 3, bytes: 900, syncMs: 2 });
  onGroup({ records: 5, bytes: 900, syncMs: 4 });
  counts.accepted.event += 1;
  counts.refused.set('unauthorized', 1);
  const lines = (await registry.metrics()).split('\n');
  const expected = [
    'trackside_records_accepted_total{kind="page_view"} 3',
    'trackside_records_accepted_total{kind="event"} 5',
    'trackside_records_repeated_total{kind="page_view"} 1',
    'trackside_records_repeated_total{kind="event"} 0',
    'trackside_website_records_total{website="7",outcome="over_quota"} 1',
    'trackside_repeat_keys 8',
    'trackside_key_holders{state="answering"} 1',
    'trackside_key_holders{state="silent"} 2',
    'trackside_key_holders{state="stopped"} 1',
    'trackside_records_refused_total{reason="malformed"} 2',
    'trackside_records_refused_total{reason="unauthorized"} 1',
    'trackside_journal_bytes 1234',
    'trackside_journal_segments 1',
    'trackside_journal_age_seconds 90',
    'trackside_journal_oldest_unanswered_seconds 7.25',
    'trackside_loader_lag_seconds 1.5',
    'trackside_journal_damaged_bytes 600',
    'trackside_damage{kind="journal-frames"} 2',
    'trackside_damage{kind="store-part"} 1',
    'trackside_checked_store_parts 11',
    'trackside_checked_journal_bytes 12',
    'trackside_check_rounds 13',
    'trackside_loader_bytes_waiting 321',
    'trackside_loader_batches_to_compare 9',
    'trackside_loader_records_to_load_again 777',
    'trackside_engine_restarts 1',
    'trackside_engine_ready 1',
    'trackside_engine_resident_bytes 99',
    'trackside_live_streams 6',
    'trackside_live_questions 7',
    'trackside_group_commit_records_sum 8',
    'trackside_group_commit_records_bucket{le="4"} 1',
    'trackside_journal_sync_seconds_count 2',
    'trackside_journal_sync_seconds_bucket{le="0.0025"} 1',
  ];
  for (const line of expected) assert.ok(lines.includes(line), line);
  assert.match(lines.join('\n'), /trackside_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+\n/);
});

test('asking twice does not count anything twice', async (t) => {
  const { registry } = open(t, { restarts: 0, isReady: true, rssBytes: 99 });
  await registry.metrics();
  assert.match(await registry.metrics(), /trackside_records_accepted_total\{kind="page_view"\} 3\n/);
});

test('omits the memory of a stopped engine, and gives an empty journal an age of 0', async (t) => {
  const { registry, empty } = open(t, { restarts: 2, isReady: false, rssBytes: undefined });
  empty();
  const text = await registry.metrics();
  assert.doesNotMatch(text, /^trackside_engine_resident_bytes /m);
  assert.match(text, /^trackside_engine_ready 0$/m);
  assert.match(text, /^trackside_journal_age_seconds 0$/m);
});
