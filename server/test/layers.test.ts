import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** What every other folder may use. */
const base = ['time', 'files', 'damage', 'concurrency', 'records', 'text', 'log', 'operator-error'];
/** Which folders a folder may import, besides itself. What is not listed may not. */
const allowed: Record<string, string[]> = {
  main: ['commands'],
  config: [...base],
  commands: [
    'actions',
    'node',
    'config',
    'control',
    'removal',
    'demo',
    'intake',
    'journal',
    'loader',
    'store',
    'stats',
    ...base,
  ],
  node: ['http', 'removal', 'intake', 'loader', 'control', 'journal', 'stats', 'store', ...base],
  demo: ['intake', 'store', ...base],
  http: ['actions', 'removal', 'intake', 'stats', 'control', ...base],
  actions: ['control', ...base],
  removal: ['intake', 'stats', 'store', 'control', ...base],
  intake: ['control', 'journal', ...base],
  stats: ['control', 'store', ...base],
  loader: ['journal', 'store', ...base],
  engine: [...base],
  control: [...base],
  journal: [...base],
  store: [...base],
  damage: ['time', 'files', 'log'],
  files: ['log', 'operator-error'],
  time: [],
  concurrency: [],
  records: [],
  text: [],
  log: [],
  'operator-error': [],
};

type Import = { from: string; to: string };

function layerOf(file: string): string {
  const [first = ''] = relative(source, file).split('/');
  return first.replace(/(\.test)?\.ts$/, '');
}

function readImports(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from\s+|import\s+|import\()\s*'(\.[^']+)'/g);
  return [...found].map(([, target]) => ({ from: file, to: resolve(dirname(file), target!) }));
}

/** Imports that go against the order of layers. */
function wrongImports(imports: Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      const [above, below] = [layerOf(from), layerOf(to)];
      return above !== below && !allowed[above]?.includes(below);
    })
    .map(({ from, to }) => `${relative(source, from)} → ${relative(source, to)}`);
}

/** A ring of files that import each other, or undefined. */
function findCycle(imports: Import[]): string[] | undefined {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const { to } of targets.get(file) ?? []) {
      const cycle = visit(to, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle.map((name) => relative(source, name));
  }
  return undefined;
}

const files = globSync('**/*.ts', { cwd: source }).map((name) => join(source, name));
const code = files.filter((file) => !/\.test\.ts$|\/test-[a-z-]+\.ts$/.test(file));
const imports = code.flatMap(readImports);

test('imports go down the layers only', () => {
  assert.ok(imports.length > 100, 'expected to find the imports');
  assert.deepEqual(wrongImports(imports), []);
});

test('no files import each other in a ring', () => {
  assert.equal(findCycle(imports)?.join(' → '), undefined);
});

test('every folder has a layer', () => {
  assert.deepEqual(
    [...new Set(files.map(layerOf))].filter((layer) => !Object.hasOwn(allowed, layer)),
    [],
  );
});

/** The files outside of these folders whose text matches. */
function filesWith(pattern: RegExp, { except }: { except: readonly string[] }): string[] {
  return code
    .filter((file) => !except.includes(layerOf(file)) && pattern.test(readFileSync(file, 'utf8')))
    .map((file) => relative(source, file));
}

test('what people change goes through actions, with its entry in the audit log', () => {
  // Control's type has no other way to write; this holds that nobody takes a wider one.
  assert.deepEqual(filesWith(/\btransact\(/, { except: ['actions', 'removal', 'control'] }), []);
  assert.deepEqual(filesWith(/\bWritableControl\b/, { except: ['control'] }), []);
  assert.deepEqual(filesWith(/\bopenControl\(/, { except: ['control'] }), [
    'commands/parts/open-own-control.ts',
  ]);
  assert.ok(filesWith(/\btransact\(/, { except: [] }).length > 20, 'expected to find the actions');
});

/** What the code of one part imports of others in this repository: by the name of their package, or by a path out of it. */
function importsOfOthers(part: string): string[] {
  const folder = fileURLToPath(new URL(`../../${part}`, import.meta.url));
  const code = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', '**/test-*.ts'] });
  return code.flatMap((name) => {
    const found = readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
    return [...found]
      .map(([, target]) => target!)
      .filter((target) =>
        target.startsWith('.')
          ? relative(folder, resolve(folder, dirname(name), target)).startsWith('..')
          : target.startsWith('@trackside/'),
      );
  });
}

/** Which parts of the contract each part of the repository may use. */
const agreed: Record<string, RegExp> = {
  'server/src': /^@trackside\/contract\/(?:app|calendar|stats|tracking)\//,
  'sdk/src': /^@trackside\/contract\/tracking\//,
};

test('server and SDK share the contract, and nothing else', () => {
  for (const [part, contract] of Object.entries(agreed)) {
    const others = importsOfOthers(part);
    assert.ok(others.length > 0, `expected that ${part} uses the contract`);
    assert.deepEqual(
      others.filter((target) => !contract.test(target)),
      [],
    );
  }
  assert.deepEqual(importsOfOthers('contract'), []);
});

test('an import in the wrong direction, between siblings, or in a ring is found', () => {
  const link = (from: string, to: string) => ({ from: join(source, from), to: join(source, to) });
  assert.deepEqual(wrongImports([link('time/clock.ts', 'http/answer.ts')]), [
    'time/clock.ts → http/answer.ts',
  ]);
  assert.deepEqual(wrongImports([link('journal/frame.ts', 'store/open-store.ts')]), [
    'journal/frame.ts → store/open-store.ts',
  ]);
  assert.deepEqual(wrongImports([link('node/start-node.ts', 'engine/main.ts')]), [
    'node/start-node.ts → engine/main.ts',
  ]);
  assert.deepEqual(findCycle([link('time/a.ts', 'time/b.ts'), link('time/b.ts', 'time/a.ts')]), [
    'time/a.ts',
    'time/b.ts',
    'time/a.ts',
  ]);
});
