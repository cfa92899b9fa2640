import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { dataFolder } from '../../src/files/data-folder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runHere } from '../support/run-here.ts';
import { createServerProcess } from '../support/spawn-server.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Round } from './open-round.ts';
import type { Node } from './scene.ts';

const withinMs = 300_000;

/** Each round has websites of its own, whose paths are those of the previous round. */
const nameOf = (websiteId: number, path: string) => `${websiteId} ${path}`;

/** A backup that is killed, then completed and restored: everything that was accepted before must be in it. */
export async function startBackup({ round, node }: { round: Round; node: Node }) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-backup-'));
  const [place, dataDir] = [join(folder, 'place'), join(folder, 'data')];
  const words = ['backup', place, '--include-secret-key'];
  return {
    words,
    async complete(): Promise<void> {
      const accepted = (['free', 'limited'] as const).flatMap((website) =>
        [...round.accepted[website]].map((path) => nameOf(round[website].id, path)),
      );
      try {
        for (const each of [words, ['backup', place, '--verify']]) {
          const { code, stderr, stdout } = await node.run(...each);
          assert.equal(code, 0, `${each.join(' ')}: ${stderr}${stdout}`);
        }
        const { code, stderr } = await runHere(['restore', place, '--data-dir', dataDir]);
        assert.equal(code, 0, `restore: ${stderr}`);
        await checkRestored(dataDir, accepted);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
}

async function checkRestored(dataDir: string, accepted: readonly string[]): Promise<void> {
  const server = createServerProcess({ dataDir });
  const store = openStore({
    socketPath: dataFolder(dataDir).engineSocket,
    use: 'asking',
    log: pino({ level: 'silent' }),
  });
  try {
    await server.start();
    const count = async () => {
      const query =
        'select website_id as id, path, toUInt32(count()) as records from records group by id, path';
      const rows = await store.query<{ id: number; path: string; records: number }>({ query });
      return new Map(rows.map(({ id, path, records }) => [nameOf(id, path), records]));
    };
    await waitFor(
      'every accepted record to be restored',
      async () => {
        const found = await count().catch(() => new Map<string, number>());
        return accepted.every((name) => found.has(name));
      },
      withinMs,
    );
    const found = await count();
    assert.deepEqual(
      accepted.filter((name) => found.get(name) !== 1).map((name) => `${name}: ${found.get(name) ?? 0}`),
      [],
      'records that are not restored once',
    );
  } finally {
    await store.close();
    await server.end('SIGKILL');
  }
}
