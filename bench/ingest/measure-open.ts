import { setTimeout as delay } from 'node:timers/promises';
import { letRequestsGoFirst } from '../../server/src/node/let-requests-go-first.ts';
import { sendOpenLoop } from '../send-open-loop.ts';
import { readMetrics } from './read-metrics.ts';
import { residentMb, type Started } from './start-process.ts';

type Options = {
  bare: Started;
  trackside: Started;
  texts: readonly string[];
  rounds: number;
  seconds: number;
  print: (line: string) => void;
};

type Tail = { p50Ms: number; p99Ms: number; p999Ms: number };

/** V8 is still compiling what a new server does for so long. */
const warmUpSeconds = 10;

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/**
 * Sends at fixed rates, whatever the answers do, to the bare server and to Trackside in turn. Returns when all
 * rates are measured. The sender shares the machine with both, so its own garbage must not get in their way.
 */
export async function measureOpen(options: Options & { rates: readonly number[] }): Promise<void> {
  const { rates, rounds, print } = options;
  letRequestsGoFirst();
  await send(options, options.bare, 1_000);
  await send(options, options.trackside, 1_000);
  for (const rate of rates) {
    const warmUp = { ...options, seconds: warmUpSeconds };
    const bareFirst = await send(warmUp, options.bare, rate);
    const tracksideFirst = await send(warmUp, options.trackside, rate);
    print(`${rate}/s, warm-up: bare ${show(bareFirst)}; trackside ${show(tracksideFirst)}`);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = await send(options, options.bare, rate);
      const trackside = await send(options, options.trackside, rate);
      ratios.push(trackside.p99Ms / bare.p99Ms);
      print(`${rate}/s, round ${round + 1}: bare ${show(bare)}; trackside ${show(trackside)}`);
    }
    print(`${rate}/s: p99 is ${median(ratios).toFixed(2)} times the bare server's, median of ${rounds}`);
  }
}

async function send({ texts, seconds }: Options, { origin }: Started, perSecond: number): Promise<Tail> {
  const makeRequest = (at: number) => texts[at % texts.length]!;
  const { latenciesMs, statuses, unanswered } = await sendOpenLoop({
    origin,
    perSecond,
    seconds,
    makeRequest,
  });
  if (unanswered > 0 || Object.keys(statuses).some((status) => status !== '200'))
    throw new Error(`expected all records to be accepted at ${perSecond}/s, got ${JSON.stringify(statuses)}`);
  return tailOf(latenciesMs);
}

function tailOf(latenciesMs: readonly number[]): Tail {
  const inOrder = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number) => inOrder[Math.ceil(share * inOrder.length) - 1]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999) };
}

const show = ({ p50Ms, p99Ms, p999Ms }: Tail) =>
  `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} p99.9 ${p999Ms.toFixed(1)} ms`;

/** Sends far more than the server can take, then sees how soon it is as fast as before. */
export async function measureOverload(options: Options & { rate: number }): Promise<void> {
  const { trackside, texts, seconds, rate, print } = options;
  const usual = await send(options, trackside, 500);
  const before = await readMetrics(trackside.origin);
  const idle = memoryOf(trackside);
  let highest = idle;
  const watch = setInterval(() => {
    highest = Math.max(highest, memoryOf(trackside));
  }, 200);
  const makeRequest = (at: number) => texts[at % texts.length]!;
  const { statuses } = await sendOpenLoop({
    origin: trackside.origin,
    perSecond: rate,
    seconds,
    makeRequest,
    maxConnections: 2_000,
  });
  clearInterval(watch);
  const endedMs = performance.now();
  const accepted = (await readMetrics(trackside.origin)).accepted - before.accepted;
  let last = usual;
  do {
    last = await send({ ...options, seconds: 1 }, trackside, 500);
  } while (last.p99Ms > 2 * usual.p99Ms + 5 && performance.now() - endedMs < 60_000);
  const recoveredMs = performance.now() - endedMs;
  print(
    `overload of ${rate}/s for ${seconds} s: answers ${JSON.stringify(statuses)}, ${accepted} accepted; ` +
      `memory ${idle.toFixed(0)} MB before, at most ${highest.toFixed(0)} MB; ` +
      `as fast as before after ${(recoveredMs / 1000).toFixed(1)} s (${show(usual)} before, ${show(last)} then)`,
  );
  await delay(1_000);
}

const memoryOf = ({ pid }: Started): number => residentMb(pid).reduce((sum, { mb }) => sum + mb, 0);
