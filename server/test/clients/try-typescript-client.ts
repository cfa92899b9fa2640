import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeTypeScriptClient } from './write-typescript-client.ts';

const compiler = new URL('../../../node_modules/typescript/bin/tsc', import.meta.url).pathname;

/** What a stranger would write with the generated client. Mistakes in it must be refused. */
const program = `
import { createClient, type Counts, type SavedFunnel, type StatsFault } from './client.ts';

export async function run(origin: string, token: string) {
  const client = createClient(origin, { Authorization: 'Bearer ' + token });
  const counts: Counts = await client.query({ period: 'today', metrics: ['pageViews'], dimensions: ['page'] });
  const [first] = counts.rows;
  const views: number | null | undefined = first?.metrics['pageViews'];
  const funnel = await client.funnel({ period: 'today', steps: [{ page: '/' }, { event: 'Signup' }] });
  const visitors: number[] = funnel.steps.map((step) => step.visitors);
  const { minutes } = await client.live({});
  const health = await client.health();
  const refused = await client.query({ period: 'today', limit: 0 }).catch((fault: StatsFault) => fault.fault);
  return { views, visitors, minutes: minutes.length, code: health.code, refused };
}

export function refuseMistakes(client: ReturnType<typeof createClient>, saved: SavedFunnel): void {
  // @ts-expect-error There is no such metric.
  void client.query({ metrics: ['visitorz'] });
  // @ts-expect-error A saved funnel has no numbers.
  saved.steps[0].visitors;
  // @ts-expect-error A funnel needs steps.
  void client.funnel({ period: 'today' });
}
`;

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom'],
    types: [],
  },
};

/** Generates a client, type-checks it together with a program that uses it, and runs the program. */
export async function tryTypeScriptClient(origin: string, token: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-client-'));
  try {
    writeFileSync(join(folder, 'client.ts'), writeTypeScriptClient());
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const checked = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    assert.equal(checked.stdout + checked.stderr, '');
    assert.equal(checked.status, 0);
    const { run } = await import(pathToFileURL(join(folder, 'program.ts')).href);
    return await run(origin, token);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
