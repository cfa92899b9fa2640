import assert from 'node:assert/strict';
import { pageView, post } from '../support/records.ts';
import { waitFor } from '../support/wait-for.ts';
import { untilHealthy } from './check-round.ts';
import type { Round } from './open-round.ts';
import type { Node, Scene } from './scene.ts';
import { startBackup } from './start-backup.ts';

const records = 30;

/** A command that takes a while, and whatever it takes to complete it after it was killed. */
type Work = {
  words: string[];
  /** Called when everything is running again. Completes the work, and checks its result. */
  complete(): Promise<void>;
};
type StartWork = (on: { scene: Scene; round: Round; node: Node; name: string }) => Promise<Work>;

/** What is under way when something is killed. To add a command, add a line. */
export const works: Record<string, StartWork> = {
  demo: async ({ scene, node, name }) => ({
    words: demoWords(`demo-${name}.test`),
    // What it left behind is not continued, and has its own name.
    complete: () => checkDemo(scene, node, `demo-again-${name}.test`),
  }),
  rebuild: async ({ node }) => ({ words: ['rebuild'], complete: () => succeed(node, ['rebuild']) }),
  // The store is replaced by an empty one, which gets its tables and everything in the journal.
  repair: async ({ node }) => ({
    words: ['repair', '--yes'],
    complete: () => succeed(node, ['repair', '--yes']),
  }),
  deletion: startDeletion,
  backup: startBackup,
};

const demoWords = (domain: string) => ['demo', '--domain', domain, '--days', '9', '--visits-per-day', '60'];

async function checkDemo({ store }: Scene, node: Node, domain: string): Promise<void> {
  const { code, stdout, stderr } = await node.run(...demoWords(domain), '--json');
  assert.equal(code, 0, `demo: ${stderr}`);
  const made = JSON.parse(stdout);
  const [found] = await store.query<{ rows: number }>({
    query: 'select toUInt32(count()) as rows from records where website_id = {id:UInt32}',
    params: { id: made.id },
  });
  assert.equal(found!.rows, made.records, 'the records of a demo');
}

async function succeed(node: Node, words: string[]): Promise<void> {
  const { code, stderr } = await node.run(...words);
  assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
  await untilHealthy(node);
}

async function startDeletion({ scene, round, node, name }: Parameters<StartWork>[0]): Promise<Work> {
  const domain = `deleted-${name}.test`;
  const { control, store } = scene;
  const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  for (let sent = 0; sent < records; )
    if (
      (await post(node.origin, '/api/page-view', apiKey, pageView()).catch(() => undefined))?.status === 200
    )
      sent += 1;
  const words = ['website', 'delete', domain, '--confirm', domain];
  const count = async () => {
    const query = 'select toUInt32(count()) as rows from records where website_id = {id:UInt32}';
    const rows = await store.query<{ rows: number }>({ query, params: { id: website.id } });
    return rows[0]!.rows;
  };
  return {
    words,
    async complete() {
      // Either nothing has happened, or it goes on by itself.
      if ((await control.websites.find(domain)) !== undefined) await succeed(node, words);
      const isGone = async () => (await count().catch(() => -1)) === 0;
      await waitFor('the records of a deleted website to be gone', isGone);
      round.deleted.push(website.id);
    },
  };
}
