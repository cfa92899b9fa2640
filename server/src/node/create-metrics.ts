import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Damage } from '../damage/damage-log.ts';
import { gapBytesOf } from '../damage/journal-gap.ts';
import { websiteRecordsMetric } from '../http/server/metrics.ts';
import type { TrackingCounts } from '../http/tracking/create-tracking.ts';
import type { OutcomeCounts } from '../intake/tally/open-tally.ts';
import type { GroupReport } from '../journal/group-commit.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { LoaderState } from '../loader/loader-progress.ts';
import type { CheckProgress } from './start-checking.ts';

type Sources = {
  counts: TrackingCounts;
  /** What became of the records of each website. */
  outcomes: () => ReadonlyMap<number, OutcomeCounts>;
  idempotencyIndex: { size(): number };
  journal: Pick<Journal, 'bytes' | 'segments' | 'oldestUnansweredMs'>;
  loader: () => LoaderState;
  engine: () => { restarts: number; isReady: boolean; rssBytes: number | undefined };
  damage: () => readonly Damage[];
  checked: () => CheckProgress;
  live: () => { streams: number; questions: number };
  /** The other nodes that may know an idempotency key. Undefined on a node that is alone. */
  keyHolders?: (() => readonly { leftAt: number | null; isSilent: boolean }[]) | undefined;
  now: () => number;
};

const damageKinds: readonly Damage['kind'][] = [
  'journal-frames',
  'journal-segment',
  'store-part',
  'store-gone',
  'damage-note',
];
const msBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000];

/** Everything on /metrics. The hot path keeps plain numbers, which are read when someone asks for them. */
export function createMetrics(sources: Sources) {
  const { counts, idempotencyIndex, journal, loader, engine, damage, checked, live, now } = sources;
  const { keyHolders } = sources;
  const registry = new Registry();
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();

  new Counter({
    name: 'trackside_records_accepted_total',
    help: 'Records that were answered 200, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(counts.accepted)) this.inc({ kind }, count);
    },
  });
  new Counter({
    name: 'trackside_records_repeated_total',
    help: 'Repeats of accepted records, answered 200 but not counted again, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(counts.repeated)) this.inc({ kind }, count);
    },
  });
  new Counter({
    name: 'trackside_records_excluded_total',
    help: 'Records that were answered 200 and not stored, by the id of the website and what its rule looks at.',
    labelNames: ['website', 'rule'],
    registers,
    collect() {
      this.reset();
      for (const [website, ofWebsite] of counts.excluded)
        for (const [rule, count] of ofWebsite) this.inc({ website: String(website), rule }, count);
    },
  });
  new Counter({
    name: 'trackside_records_refused_total',
    help: 'Requests that were not accepted, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of counts.refused) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'trackside_dry_runs_total',
    help: 'Requests with Trackside-Dry-Run, which were judged and not stored.',
    registers,
    collect() {
      this.reset();
      this.inc(counts.dryRuns);
    },
  });
  new Counter({
    name: websiteRecordsMetric,
    help: 'What became of what was sent, by the id of the website: accepted, refused, excluded, over_quota or repeated.',
    labelNames: ['website', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [website, ofWebsite] of sources.outcomes())
        for (const [outcome, count] of Object.entries(ofWebsite))
          this.inc({ website: String(website), outcome }, count);
    },
  });
  /** The aggregator says what the number of a server with several workers is. */
  const gauge = (
    name: string,
    help: string,
    read: () => number | undefined,
    aggregator: 'sum' | 'max' | 'min' = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });

  gauge('trackside_repeat_keys', 'Idempotency keys in memory.', () => idempotencyIndex.size());
  if (keyHolders !== undefined)
    new Gauge({
      name: 'trackside_key_holders',
      help: 'Other nodes that may know a repeat, by whether they answer, do not, or were stopped.',
      labelNames: ['state'],
      registers,
      collect() {
        const all = keyHolders();
        const left = all.filter(({ leftAt }) => leftAt !== null).length;
        const silent = all.filter(({ isSilent }) => isSilent).length;
        this.set({ state: 'stopped' }, left);
        this.set({ state: 'silent' }, silent);
        this.set({ state: 'answering' }, all.length - left - silent);
      },
    });
  gauge('trackside_journal_bytes', 'Size of the journal in bytes.', () => journal.bytes());
  gauge('trackside_journal_segments', 'Number of files in the journal.', () => journal.segments().length);
  gauge(
    'trackside_journal_age_seconds',
    'Age of the oldest segment of the journal.',
    () => {
      const oldest = journal.segments()[0];
      return oldest === undefined ? 0 : Math.max(0, (now() - oldest.createdAt) / 1000);
    },
    'max',
  );
  gauge(
    'trackside_journal_oldest_unanswered_seconds',
    'How long the oldest record has been waiting for the disk.',
    () => journal.oldestUnansweredMs() / 1000,
    'max',
  );
  gauge(
    'trackside_loader_lag_seconds',
    'Upper bound on the age of the oldest record that is not in the store yet.',
    () => loader().lagMs / 1000,
    'max',
  );
  gauge('trackside_loader_rows_loaded', 'Rows loaded since the server started.', () => loader().loadedRows);
  gauge(
    'trackside_loader_batches_inserted',
    'Batches inserted since the server started.',
    () => loader().insertedBatches,
  );
  gauge(
    'trackside_loader_bytes_waiting',
    'Bytes of the journal that are still to be loaded.',
    () => loader().waitingBytes,
  );
  gauge(
    'trackside_loader_batches_to_compare',
    'Batches still to be compared with the store after a start or a change of store.',
    () => loader().toCompareBatches,
  );
  gauge(
    'trackside_loader_records_to_load_again',
    'Records that the store lost and that are still to be loaded again from the journal.',
    () => loader().toLoadAgain.records,
  );
  gauge('trackside_loader_batches_unverified', 'Batches not verified yet.', () => loader().unverifiedBatches);
  gauge('trackside_journal_damaged_bytes', 'Bytes of the journal that are known to be unreadable.', () =>
    gapBytesOf(damage()),
  );
  new Gauge({
    name: 'trackside_damage',
    help: 'Known damage on disk that is not resolved yet, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const kind of damageKinds) this.set({ kind }, 0);
      for (const { kind } of damage()) this.inc({ kind });
    },
  });
  gauge(
    'trackside_checked_store_parts',
    'Parts of the store checked since the server started.',
    () => checked().parts,
  );
  gauge(
    'trackside_checked_journal_bytes',
    'Bytes of the journal checked since the server started.',
    () => checked().journalBytes,
  );
  gauge(
    'trackside_check_rounds',
    'How many times all data has been checked since the server started.',
    () => checked().rounds,
    'min',
  );
  gauge('trackside_engine_restarts', 'Engine restarts since the server started.', () => engine().restarts);
  gauge('trackside_engine_ready', '1 while the engine is ready.', () => (engine().isReady ? 1 : 0));
  gauge('trackside_engine_resident_bytes', 'Memory of the engine.', () => engine().rssBytes);
  gauge('trackside_live_streams', 'Open live views.', () => live().streams);
  gauge(
    'trackside_live_questions',
    'Queries for live views since the server started.',
    () => live().questions,
  );
  gauge('trackside_node_resident_bytes', 'Memory of the node.', () => process.memoryUsage.rss());
  new Gauge({
    name: 'trackside_event_loop_delay_seconds',
    aggregator: 'max',
    help: 'Event loop delay since the last scrape, by quantile.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const quantile of [50, 99, 100]) {
        this.set(
          { quantile: String(quantile / 100) },
          delay.count === 0 ? 0 : delay.percentile(quantile) / 1e9,
        );
      }
      delay.reset();
    },
  });

  const groupRecords = new Histogram({
    name: 'trackside_group_commit_records',
    help: 'Records per group commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024],
    registers,
  });
  const syncSeconds = new Histogram({
    name: 'trackside_journal_sync_seconds',
    help: 'Duration of one fdatasync of the journal.',
    buckets: msBuckets.map((ms) => ms / 1000),
    registers,
  });

  return {
    registry,
    onGroup({ records, syncMs }: GroupReport): void {
      groupRecords.observe(records);
      syncSeconds.observe(syncMs / 1000);
    },
    stop: () => delay.disable(),
  };
}
