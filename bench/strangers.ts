import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openControl } from '../server/src/control/open-control.ts';
import { dataFolder } from '../server/src/files/data-folder.ts';
import { systemClock } from '../server/src/time/clock.ts';
import { makeBodies } from './ingest/make-bodies.ts';
import { startProcess } from './ingest/start-process.ts';
import { type OpenLoopResult, sendOpenLoop } from './send-open-loop.ts';
import type { StrangerOrder } from './strangers/send-strangers.ts';
import { type StrangerKind, strangers } from './strangers/strangers.ts';
import { readToolOptions } from './tool-options.ts';

const {
  rounds,
  seconds,
  records: recordsPerSecond,
  strangers: strangersPerSecond,
  only,
} = readToolOptions({
  command: 'npm run bench:strangers',
  about:
    'Measures what strangers do to intake: the latency of records at a modest, fixed rate while someone sends\n' +
    'a thousand requests a second with made-up credentials, next to the same without strangers. Both run in\n' +
    'turn, because machines are shared and only the ratio is meaningful.',
  options: {
    rounds: { fallback: 3, help: 'turns of each' },
    seconds: { fallback: 5, help: 'how long a turn takes' },
    records: { fallback: 200, help: 'records a second' },
    strangers: { fallback: 1000, help: 'requests of strangers a second' },
    only: { help: `one kind of strangers: ${Object.keys(strangers).join(', ')} (default: all of them)` },
  },
});
const kinds = (Object.keys(strangers) as StrangerKind[]).filter(
  (kind) => only === undefined || kind === only,
);

const shares = [0.5, 0.9, 0.99];
const folder = mkdtempSync(join(tmpdir(), 'trackside-strangers-'));
const dataDir = join(folder, 'data');
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);
const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(share * numbers.length) - 1] ?? Number.NaN;

const trackside = await startProcess([path('../server/src/main.ts'), 'serve'], {
  TRACKSIDE_DATA_DIR: dataDir,
  TRACKSIDE_PORT: '0',
  TRACKSIDE_LOG_LEVEL: 'error',
  TRACKSIDE_ADMIN_EMAIL: 'ada@example.com',
  TRACKSIDE_ADMIN_PASSWORD: 'a long enough secret',
});
try {
  await measure();
} finally {
  await trackside.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const sendRecords = await createRecords();
  print(
    `${recordsPerSecond} records and ${strangersPerSecond} strangers a second, ` +
      `${rounds} rounds of ${seconds} s; ` +
      `machine: ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
  );
  await sendRecords();
  let refused = 0;
  for (const kind of kinds) {
    const results: { idle: OpenLoopResult; attacked: OpenLoopResult }[] = [];
    const answers: Record<string, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      const idle = await sendRecords();
      const send = await prepareStrangers(kind);
      const [attacked, ofStrangers] = await Promise.all([sendRecords(), send()]);
      results.push({ idle, attacked });
      for (const [status, count] of Object.entries({
        ...ofStrangers.statuses,
        ...(ofStrangers.unanswered > 0 && { unanswered: ofStrangers.unanswered }),
      }))
        answers[status] = (answers[status] ?? 0) + count;
    }
    const [idle, attacked] = (['idle', 'attacked'] as const).map((when) =>
      results.flatMap((result) => result[when].latenciesMs),
    ) as [number[], number[]];
    const ratio = quantile(attacked, 0.99) / quantile(idle, 0.99);
    const byRound = results.map((result) =>
      (quantile(result.attacked.latenciesMs, 0.99) / quantile(result.idle.latenciesMs, 0.99)).toFixed(1),
    );
    const latencies = shares.map(
      (share) => `p${100 * share} ${show(idle, share)} → ${show(attacked, share)}`,
    );
    print(
      `${kind.padEnd(34)} ${latencies.join(', ')} ms, ` +
        `ratio of p99 ${ratio.toFixed(1)} (${byRound.join(', ')}); answered ${JSON.stringify(answers)}`,
    );
    refused += results
      .flatMap((result) => [result.idle, result.attacked])
      .reduce((sum, { statuses, unanswered }) => sum + unanswered + othersThan200(statuses), 0);
  }
  print(refused === 0 ? 'every record was accepted' : `${refused} records were NOT accepted`);
  if (refused > 0) process.exitCode = 1;
}

async function createRecords(): Promise<() => Promise<OpenLoopResult>> {
  const log = pino({ level: 'silent' });
  const control = await openControl({
    folder: dataFolder(dataDir).control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const { apiKey } = await control.websites.add({
    domain: 'shop.example',
    timezone: 'Europe/Berlin',
    contingent: null,
  });
  await control.close();
  // Waits until the server has seen the new key.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const requests = makeBodies(500).map(
    ({ path: target, body }) =>
      `POST ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return () =>
    sendOpenLoop({
      origin: trackside.origin,
      perSecond: recordsPerSecond,
      seconds,
      makeRequest: (at) => requests[at % requests.length]!,
    });
}

/** Starts a process for the strangers first, so that its start is not measured. */
async function prepareStrangers(kind: StrangerKind): Promise<() => Promise<OpenLoopResult>> {
  const child = fork(path('./strangers/send-strangers.ts'));
  await once(child, 'message');
  return async () => {
    const order: StrangerOrder = { kind, origin: trackside.origin, perSecond: strangersPerSecond, seconds };
    child.send(order);
    const [result] = await once(child, 'message');
    return result as OpenLoopResult;
  };
}

function show(latencies: number[], share: number): string {
  return quantile(latencies, share).toFixed(1);
}

function othersThan200(statuses: Record<string, number>): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0);
}
