import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTo, fillFolder } from '../damage/filled-folder.ts';
import { checkCorrupted } from './check-corrupted.ts';
import { corruptOne, listKinds } from './corrupt-file.ts';
import { createRandom } from './create-random.ts';
import type { Mode } from './mode.ts';
import { addCounts, createReport, noteFaults } from './report.ts';

/** Damages one file of a data folder after the other. The seeds go through all kinds of files in turn. */
export const corruptMode: Mode = {
  about: 'a server on a data folder with one damaged file, of each kind in turn',
  share: 1,
  async run({ folder, seed, kills, forMs, options, say }) {
    const report = createReport();
    const startMs = performance.now();
    const filled = await fillFolder();
    const rounds = options.rounds > 0 ? options.rounds : kills;
    while (report.rounds < rounds && performance.now() - startMs < forMs && report.failures.length === 0) {
      const roundSeed = seed + report.rounds;
      const random = createRandom(roundSeed);
      const dataDir = await mkdtemp(join(folder, `${roundSeed}-`));
      await copyTo(dataDir, filled.dataDir);
      const kinds = [...listKinds(dataDir)];
      const [kind, files] = kinds[roundSeed % kinds.length]!;
      const what = corruptOne(files, random);
      const { broken, outcome, counts, tookMs } = await checkCorrupted({ dataDir, filled });
      report.rounds += 1;
      noteFaults(report, [outcome]);
      addCounts(report, counts);
      report.slowestRecoveryMs = Math.max(report.slowestRecoveryMs, tookMs);
      say(
        `round ${report.rounds}, seed ${roundSeed}: ${kind}: ${what}: ${outcome}, ${(tookMs / 1000).toFixed(1)} s`,
      );
      const again = `--seed ${roundSeed} --rounds 1`;
      if (broken.length > 0)
        report.failures.push({ seed: roundSeed, again, broken: [`${kind}: ${what}`, ...broken] });
      else rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
    return report;
  },
};
