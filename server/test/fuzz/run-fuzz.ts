import fc from 'fast-check';
import type { Removals } from './create-removals.ts';
import type { FuzzCase } from './fuzz-cases.ts';
import { type FuzzAnswer, openFuzzConnection } from './fuzz-connection.ts';
import { judgeAnswer } from './judge-answer.ts';
import { recordsOf } from './judge-batch.ts';

export type FuzzFailure = { seed: number; says: string };
export type FuzzReport = {
  cases: number;
  statuses: Record<string, number>;
  /** How many records were answered with 200. */
  accepted: number;
  /** How many records were sent behind an answer that ended the connection, and got none. */
  unanswered: number;
  failures: FuzzFailure[];
};

const groupSize = 50;
const maxFailures = 20;

/** How much longer than harmless requests hostile ones may keep the event loop busy at once. */
export const maxPauseRatio = 5;

export const createFuzzReport = (): FuzzReport => ({
  cases: 0,
  statuses: {},
  accepted: 0,
  unanswered: 0,
  failures: [],
});

export function addReports(sum: FuzzReport, report: FuzzReport): void {
  const { cases, statuses, accepted, unanswered, failures } = report;
  sum.cases += cases;
  sum.accepted += accepted;
  sum.unanswered += unanswered;
  sum.failures.push(...failures);
  for (const [name, count] of Object.entries(statuses))
    sum.statuses[name] = (sum.statuses[name] ?? 0) + count;
}

/**
 * Sends random requests until there were enough, or the time is up. They come in groups with a seed each, so
 * that a group can be sent again alone.
 */
export async function runFuzz(options: {
  origin: string;
  requests: fc.Arbitrary<FuzzCase>;
  seed: number;
  cases: number;
  untilMs: number;
  connections: number;
  say?: (line: string) => void;
  /** For a long run, in which a website would have as much as it can have. */
  removals?: Removals;
}): Promise<FuzzReport> {
  const { origin, requests, seed, cases, untilMs, connections, say = () => {}, removals } = options;
  const report = createFuzzReport();
  let group = 0;
  let saidAtMs = performance.now();

  async function work(): Promise<void> {
    const connection = openFuzzConnection(origin);
    while (group * groupSize < cases && performance.now() < untilMs && report.failures.length < maxFailures) {
      const own = seed + group++;
      const queue = fc.sample(requests, { seed: own, numRuns: Math.min(groupSize, cases) });
      while (queue.length > 0) {
        // Some are sent together, and some in two parts.
        const together = queue.splice(0, queue.length % 7 === 0 ? 3 : 1);
        const answers = await connection
          .exchange(
            together.map(({ bytes }) => bytes),
            queue.length % 5 === 0,
          )
          .catch((error: unknown) => fail(own, together[0]!, String(error)));
        if (answers === undefined) continue;
        count(own, together, answers);
        for (const [index, answer] of answers.entries()) removals?.note(together[index]!.target, answer);
      }
      for (const removal of removals?.due() ?? []) await connection.exchange([removal], false);
      if (performance.now() - saidAtMs > 10_000) {
        saidAtMs = performance.now();
        say(`${report.cases} of ${cases} cases: ${JSON.stringify(report.statuses)}`);
      }
    }
    connection.close();
  }

  function count(own: number, sent: readonly FuzzCase[], answers: readonly FuzzAnswer[]): void {
    for (const [index, answer] of answers.entries()) {
      const { target } = sent[index]!;
      report.cases += 1;
      const name = `${target.family} ${answer.status}`;
      report.statuses[name] = (report.statuses[name] ?? 0) + 1;
      report.accepted += acceptedBy(target, answer);
      const wrong = judgeAnswer(sent[index]!, answer);
      if (wrong !== undefined)
        fail(own, sent[index]!, `${wrong}: ${answer.status} ${answer.body.slice(0, 400)}`);
    }
    // A server that closes after an answer says so, and needn't answer what came behind it.
    const isClosed = answers.at(-1)?.headers.connection === 'close';
    const left = sent.slice(answers.length);
    if (left.length > 0 && !isClosed) fail(own, left[0]!, 'closed without an answer');
    report.unanswered += left.reduce((sum, one) => sum + recordsIn(one), 0);
  }

  function fail(own: number, { target, dress, json, bytes }: FuzzCase, says: string): undefined {
    const shown = JSON.stringify(bytes.toString('latin1').slice(0, 1500));
    report.failures.push({
      seed: own,
      says: `${target.name}, ${dress}, changed ${json.changed}: ${says}\n  ${shown}`,
    });
  }

  await Promise.all(Array.from({ length: connections }, work));
  return report;
}

function acceptedBy({ family }: FuzzCase['target'], { status, body }: FuzzAnswer): number {
  if (family === 'record') return status === 200 ? 1 : 0;
  if (family !== 'batch' || status >= 300) return 0;
  const { Results } = JSON.parse(body) as { Results: { Code: number }[] };
  return Results.filter(({ Code }) => Code === 200).length;
}

function recordsIn({ target, json }: FuzzCase): number {
  if (target.family === 'record') return 1;
  if (target.family !== 'batch' || !json.isParsable) return 0;
  return recordsOf(JSON.parse(json.text.toString()))?.length ?? 0;
}
