import type { Bound, Point } from './find-trend.ts';
import type { Seen } from './looker.ts';
import type { Sample } from './take-sample.ts';

/** Something that must not grow. */
export type Measure = {
  name: string;
  unit: 'MB' | 'ms' | '';
  bound: Bound;
  /** Which value stands for a quarter of the run. */
  quantile: number;
  pointsOf: (samples: readonly Sample[], screens: Seen['screens']) => Point[];
};

/** An idempotency key is remembered for an hour, and takes this much. */
const bytesPerKey = 38;
const mb = (bytes: number) => bytes / 2 ** 20;

const sampled = (
  name: string,
  unit: Measure['unit'],
  bound: Bound,
  read: (sample: Sample) => number,
): Measure => ({
  name,
  unit,
  bound,
  quantile: 0.5,
  pointsOf: (samples) => samples.map((sample) => ({ atMs: sample.atMs, value: read(sample) })),
});

const screens = (name: string, quantile: number, bound: Bound): Measure => ({
  name,
  unit: 'ms',
  bound,
  quantile,
  pointsOf: (_, shown) => shown.map(({ atMs, tookMs }) => ({ atMs, value: tookMs })),
});

/**
 * All measures, each with what it may go up by between the second and the last quarter. The pages and visitors
 * repeat, so nothing that is kept for each of them explains more. Times are compared loosely, because other
 * programs on the machine change them.
 */
export const measures: readonly Measure[] = [
  sampled(
    'memory of the server, without idempotency keys',
    'MB',
    { share: 0.1, atLeast: 32 },
    ({ node, idempotencyKeys }) => node.memoryMb - mb(idempotencyKeys * bytesPerKey),
  ),
  sampled('memory of the engine', 'MB', { share: 0.15, atLeast: 128 }, ({ engine }) => engine.memoryMb),
  sampled('open files of the server', '', { share: 0, atLeast: 8 }, ({ node }) => node.files),
  // Connections of the load are among them, of which there are more when an answer takes long.
  sampled('open sockets of the server', '', { share: 0.5, atLeast: 64 }, ({ node }) => node.sockets),
  sampled('threads of the server', '', { share: 0, atLeast: 4 }, ({ node }) => node.threads),
  sampled('open files of the engine', '', { share: 0.25, atLeast: 64 }, ({ engine }) => engine.files),
  sampled('open sockets of the engine', '', { share: 0, atLeast: 8 }, ({ engine }) => engine.sockets),
  sampled('threads of the engine', '', { share: 0.1, atLeast: 16 }, ({ engine }) => engine.threads),
  sampled(
    'segments of the journal',
    '',
    { share: 0.5, atLeast: 3 },
    ({ journalSegments }) => journalSegments,
  ),
  sampled('size of the journal', 'MB', { share: 0.25, atLeast: 64 }, ({ journalBytes }) => mb(journalBytes)),
  sampled('records that wait for the store', 'MB', { share: 0.5, atLeast: 16 }, ({ waitingBytes }) =>
    mb(waitingBytes),
  ),
  sampled('parts of the store', '', { share: 0.5, atLeast: 30 }, ({ parts }) => parts),
  sampled(
    'merged parts that are not removed yet',
    '',
    { share: 1, atLeast: 200 },
    ({ oldParts }) => oldParts,
  ),
  sampled('size of all other files', 'MB', { share: 0.1, atLeast: 2 }, ({ otherBytes }) => mb(otherBytes)),
  sampled('tracking, p50', 'ms', { share: 1, atLeast: 5 }, ({ records }) => records.p50Ms),
  sampled('tracking, p99', 'ms', { share: 1, atLeast: 25 }, ({ records }) => records.p99Ms),
  screens("a dashboard's screen, p50", 0.5, { share: 1, atLeast: 250 }),
  screens("a dashboard's screen, p99", 0.99, { share: 2, atLeast: 1_000 }),
];
