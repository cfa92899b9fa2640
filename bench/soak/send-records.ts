/**
 * Runs in its own process, so that dashboards and samples don't delay the records whose latency is measured.
 * Sends at a fixed rate until the time is up. Asked for a report, it says how the answers since the last one
 * were.
 */
import { makeBodies } from '../ingest/make-bodies.ts';
import { sendOpenLoop } from '../send-open-loop.ts';

export type RecordsOrder = {
  origin: string;
  apiKeys: readonly string[];
  perSecond: number;
  seconds: number;
  seed: number;
};
export type RecordsReport = {
  answers: number;
  p50Ms: number;
  p99Ms: number;
  /** The number of answers by status since the start. */
  statuses: Record<string, number>;
  isDone: boolean;
  unanswered: number;
};

/** Few enough that a longer run has no new pages and visitors. */
const bodies = 20_000;
/** One record in this many has an idempotency key, a new one each time. */
const keyedEvery = 10;

// Nobody wants the rest once the soak has ended.
process.once('disconnect', () => process.exit());
process.once('message', (order: RecordsOrder) => void run(order));
process.send?.('ready');

async function run({ origin, apiKeys, perSecond, seconds, seed }: RecordsOrder): Promise<void> {
  const texts = makeBodies(bodies).map(({ path, body }, at) => ({
    head:
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKeys[at % apiKeys.length]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
    body,
  }));
  const statuses: Record<string, number> = {};
  let latenciesMs: number[] = [];
  let isDone = false;
  let unanswered = 0;
  process.on('message', () => {
    const sorted = latenciesMs.toSorted((one, other) => one - other);
    const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    const [p50Ms, p99Ms] = [quantile(0.5), quantile(0.99)];
    const report: RecordsReport = { answers: sorted.length, p50Ms, p99Ms, statuses, isDone, unanswered };
    latenciesMs = [];
    process.send?.(report);
    if (isDone) process.disconnect?.();
  });
  const result = await sendOpenLoop({
    origin,
    perSecond,
    seconds,
    // A record without an answer is a fault here, however slow the machine is.
    graceMs: 300_000,
    makeRequest(at) {
      const { head, body } = texts[at % texts.length]!;
      const key = at % keyedEvery === 0 ? `Idempotency-Key: soak-${seed}-${at}\r\n` : '';
      return `${head}${key}\r\n${body}`;
    },
    onAnswer(latencyMs, status) {
      latenciesMs.push(latencyMs);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
  });
  unanswered = result.unanswered;
  isDone = true;
}
