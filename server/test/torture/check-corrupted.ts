import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDamage } from '../../src/damage/damage-log.ts';
import { dataFolder } from '../../src/files/data-folder.ts';
import { type FilledFolder, pathOf } from '../damage/filled-folder.ts';
import { complaintsOfHealth, lookAt, readPaths } from '../damage/looks.ts';
import { pageView, post } from '../support/records.ts';
import { runHere } from '../support/run-here.ts';
import { createServerProcess } from '../support/spawn-server.ts';
import { waitFor } from '../support/wait-for.ts';

/** Numbers that no record of the folder has. */
const later = [9001, 9002, 9003];
const settledWithinMs = 300_000;
/** What is missing for this long, and told, stays missing. */
const stableMs = 6_000;

type Checked = { broken: string[]; outcome: string; counts: Record<string, number>; tookMs: number };

/**
 * Starts a server on a damaged folder. It must run, or wait with 503 and say why. What it has accepted, before
 * or now, must be in the store once, or be reported as lost in each place.
 */
export async function checkCorrupted({
  dataDir,
  filled,
}: {
  dataDir: string;
  filled: FilledFolder;
}): Promise<Checked> {
  const startMs = performance.now();
  const server = createServerProcess({ dataDir });
  const broken: string[] = [];
  const counts = { accepted: 0, 'told to try again': 0, 'missing and reported': 0 };
  const end = (outcome: string): Checked => ({
    broken,
    outcome,
    counts,
    tookMs: performance.now() - startMs,
  });
  try {
    await server.start();
    const accepted = filled.acknowledged.map(pathOf);
    for (const record of later) {
      const page = { Page: { Absolute: `https://damage.test${pathOf(record)}` } };
      const { status, headers } = await post(
        server.origin(),
        '/api/page-view',
        filled.apiKey,
        pageView(page),
      );
      if (status === 200) {
        accepted.push(pathOf(record));
        counts.accepted += 1;
      } else if (status === 503 && headers.get('retry-after') !== null) counts['told to try again'] += 1;
      else broken.push(`a record got ${status}`);
    }
    if (counts['told to try again'] === later.length) {
      const said = await lookAt(server.origin(), dataDir, { isVerified: false });
      if (said.health === '' || said.doctor === '') broken.push(`not told: ${JSON.stringify(said)}`);
      return end('waits with 503, and says why');
    }
    const left = await settle({ dataDir, filled, accepted, origin: server.origin() });
    if (left.doubled > 0) broken.push(`${left.doubled} records are in the store twice`);
    if (left.missing === 0) return end('everything is there');
    counts['missing and reported'] += left.missing;
    const metrics = await (await fetch(`${server.origin()}/metrics`)).text();
    if (!/^trackside_damage\{[^}]*\} [1-9]/m.test(metrics)) broken.push('/metrics reports no damage');
    const { health, doctor } = await lookAt(server.origin(), dataDir, { isVerified: false });
    if (health === '' || doctor === '') broken.push(`not told: ${JSON.stringify({ health, doctor })}`);
    if (!/"damage":|journal/.test(server.output.join(''))) broken.push('the log reports no damage');
    return end('something is lost, and reported');
  } catch (error) {
    broken.push(error instanceof Error ? error.message : String(error));
    return end('broken');
  } finally {
    if (server.hasEnded()) broken.push(`the server ended with ${server.exitCode()}`);
    await server.end('SIGKILL');
    await startAgain(server, broken);
    if (broken.length > 0) writeFileSync(join(dataDir, 'output.log'), server.output.join(''));
  }
}

/** A start must leave nothing behind that the next one can't start with. */
async function startAgain(server: ReturnType<typeof createServerProcess>, broken: string[]): Promise<void> {
  await server
    .start()
    .catch((error: Error) => broken.push(`the second start failed: ${error.message.slice(0, 300)}`));
  await server.end('SIGTERM');
}

/** Waits until everything is there, or until what is missing was told and doesn't change anymore. */
async function settle(on: { dataDir: string; filled: FilledFolder; accepted: string[]; origin: string }) {
  let last = { missing: -1, doubled: -1, told: '' };
  let sinceMs = performance.now();
  await waitFor(
    'the records to be there, or reported as lost',
    async () => {
      const paths = await readPaths(on.dataDir, on.filled.websiteId);
      const told = (await readDamage(dataFolder(on.dataDir).damage)).map(({ id }) => id).join();
      if (paths === undefined) {
        await repairIfTold(on.dataDir, on.origin);
        return false;
      }
      const missing = on.accepted.filter((path) => !paths.has(path)).length;
      const doubled = [...paths.values()].filter((rows) => rows > 1).length;
      if (missing !== last.missing || doubled !== last.doubled) sinceMs = performance.now();
      last = { missing, doubled, told };
      if (missing === 0 && doubled === 0) return true;
      // What was accepted after the damage was done can't be lost to it.
      if (later.some((record) => on.accepted.includes(pathOf(record)) && !paths.has(pathOf(record))))
        return false;
      return told !== '' && performance.now() - sinceMs > stableMs;
    },
    settledWithinMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}`);
  });
  return last;
}

/** Does what /health says if the store can't be opened: an operator replaces it, and the journal fills it. */
async function repairIfTold(dataDir: string, origin: string): Promise<void> {
  const told = await complaintsOfHealth(origin).catch(() => '');
  if (!/cannot-open: .*`trackside repair`/.test(told)) return;
  const { code, stderr } = await runHere(['repair', '--yes', '--data-dir', dataDir]);
  if (code !== 0) throw new Error(`repair ends with ${code}: ${stderr}`);
}
