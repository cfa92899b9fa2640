import { writeFileSync } from 'node:fs';
import { readToolOptions } from '../../../bench/tool-options.ts';
import { comparePauses } from './compare-pauses.ts';
import { createRemovals } from './create-removals.ts';
import { fuzzCases, harmlessCases } from './fuzz-cases.ts';
import { openFuzzServer } from './open-fuzz-server.ts';
import { addReports, createFuzzReport, maxPauseRatio, runFuzz } from './run-fuzz.ts';

const values = readToolOptions({
  command: 'npm run fuzz',
  about:
    'Sends random requests to a server of its own: records, batches, questions and forms that are nearly valid. Checks\n' +
    'that none of them makes it fail, hang or pause, that every answer is what the contract says, and that every\n' +
    'record that was answered with 200 is counted exactly once.',
  options: {
    cases: { fallback: 1_000_000, help: 'how many requests' },
    seed: {
      fallback: Date.now() % 1_000_000,
      help: 'a number that decides what is sent, a new one each time',
    },
    minutes: { fallback: 60, help: 'nothing is sent after this much time' },
    connections: { fallback: 8, help: 'connections that send at the same time' },
    families: { fallback: 'record,batch,question,form', help: 'what is sent' },
    report: { help: 'a file for the result, as JSON' },
  },
});
/** There is one harmless request for this many hostile ones. */
const harmlessEvery = 10;
const warmUpCases = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);
const { cases, seed, minutes, connections } = values;

/** Harmless and hostile requests take turns this often. A group that is tried again is sent at once. */
const rounds = Math.min(10, Math.ceil(cases / 1_000));

const cleanUps: (() => Promise<void>)[] = [];
let hasFailed = true;
try {
  const server = await openFuzzServer({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  const targets = server.targets.filter(({ family }) => values.families.split(',').includes(family));
  const [hostile, harmless] = [fuzzCases(targets), harmlessCases(targets)];
  const untilMs = performance.now() + minutes * 60_000;
  const removals = createRemovals();
  const send = (requests: typeof hostile, first: number, count: number) =>
    runFuzz({
      origin: server.origin,
      requests,
      seed: first,
      cases: count,
      untilMs,
      connections,
      say,
      removals,
    });
  say(`seed ${seed}, ${cases} cases, at most ${minutes} minutes`);
  const startedAt = Date.now();
  const all = createFuzzReport();
  const hostileOnly = createFuzzReport();
  // The first requests compile code.
  addReports(all, await send(hostile, seed + 500_000, warmUpCases));
  addReports(all, await send(harmless, seed, warmUpCases));
  const ofRound = Math.ceil(cases / rounds);
  const pauses = await comparePauses({
    file: server.pausesFile,
    rounds,
    sendHarmless: async (round) =>
      addReports(all, await send(harmless, seed + round, Math.ceil(ofRound / harmlessEvery))),
    async sendHostile(round) {
      const report = await send(hostile, seed + round * ofRound, ofRound);
      for (const sum of [all, hostileOnly]) addReports(sum, report);
      say(`${hostileOnly.cases} of ${cases} cases: ${JSON.stringify(hostileOnly.statuses)}`);
    },
  });
  const counted = await server.countRows(all.accepted);
  const miscount = async () =>
    `${all.accepted} records were accepted, ${counted} are counted, ${await server.countRepeatedRows()} of them ` +
    `more than once; ${all.unanswered} were sent behind an answer that ended the connection`;
  const problems = [
    ...all.failures.map(({ seed: own, says }) => `seed ${own}: ${says}`),
    ...(counted === all.accepted ? [] : [await miscount()]),
    ...(pauses.ratio <= maxPauseRatio
      ? []
      : [`hostile requests kept the event loop busy ${pauses.ratio.toFixed(1)} times as long`]),
    ...(server.hasEnded() ? ['the server has ended'] : []),
    ...[...new Set(server.badLines())].slice(0, 5).map((line) => `log: ${line.slice(0, 600)}`),
  ];
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  say(`${hostileOnly.cases} cases in ${seconds} s: ${JSON.stringify(hostileOnly.statuses)}`);
  say(
    `${counted} records counted; longest turn of the event loop: ${pauses.hostileMs.toFixed(1)} ms of ` +
      `processor time, ${pauses.harmlessMs.toFixed(1)} ms with harmless requests`,
  );
  for (const problem of problems) say(`BROKEN: ${problem}`);
  hasFailed = problems.length > 0;
  if (values.report !== undefined)
    writeFileSync(
      values.report,
      `${JSON.stringify({ seed, seconds, counted, pauses, problems, ...hostileOnly }, null, 2)}\n`,
    );
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}
process.exit(hasFailed ? 1 : 0);
