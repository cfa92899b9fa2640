import { runHistory } from '../power/run-history.ts';
import { runKeyHistory } from '../power/run-key-history.ts';
import type { Mode } from './mode.ts';
import { addCounts, createReport, noteFaults } from './report.ts';

const sayEvery = 1_000;

/** Cuts the power of a simulated disk under journal, ledger and key files. A round is one history. */
export const powerMode: Mode = {
  about: 'journal, ledger and key files on a simulated disk that loses power; a round takes about 10 ms',
  share: 4,
  async run({ seed, kills, forMs, options, say }) {
    const report = createReport();
    const startMs = performance.now();
    const isEnough = () => (options.rounds > 0 ? report.rounds >= options.rounds : report.kills >= kills);
    while (!isEnough() && performance.now() - startMs < forMs && report.failures.length === 0) {
      const roundSeed = seed + report.rounds;
      const { broken, powerCuts, killed, accepted } = await runHistory(roundSeed);
      broken.push(...(await runKeyHistory(roundSeed)));
      report.rounds += 1;
      noteFaults(report, [
        ...Array<string>(powerCuts).fill('power cut'),
        ...Array<string>(killed).fill('process killed, and its unsynced writes kept'),
      ]);
      addCounts(report, { accepted });
      if (broken.length > 0)
        report.failures.push({ seed: roundSeed, again: `--seed ${roundSeed} --rounds 1`, broken });
      if (report.rounds % sayEvery === 0)
        say(`${report.rounds} rounds, ${report.kills} power cuts and kills`);
    }
    return report;
  },
};
