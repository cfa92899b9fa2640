import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

type Entry = { version: string; integrity?: string; inBundle?: boolean };

const hash = 'sha512-AAAA';

function run(
  script: string,
  ...words: string[]
): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  const file = fileURLToPath(new URL(`../../scripts/${script}`, import.meta.url));
  return spawnSync(process.execPath, [file, ...words], { encoding: 'utf8' });
}

/** Creates a project with these packages in its lockfile, some of them installed with these manifests. */
function makeProject(
  t: TestContext,
  lock: Record<string, Entry>,
  installed: Record<string, unknown>,
): string {
  const root = mkdtempSync(join(tmpdir(), 'trackside-dependencies-'));
  t.after(() => rmSync(root, { recursive: true }));
  const packages = Object.fromEntries(Object.entries(lock).map(([name, e]) => [`node_modules/${name}`, e]));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  for (const [name, manifest] of Object.entries(installed)) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    writeFileSync(join(root, 'node_modules', name, 'package.json'), JSON.stringify(manifest));
  }
  return root;
}

test('every installed package was checked by its hash', () => {
  const { status, stderr } = run('refuse-unverified.js');
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});

test('every installed package has a permissive license or a stated exception', () => {
  const { status, stderr } = run('check-licences.js');
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});

test('refuses a package that is installed without a hash, by its name', (t) => {
  const lock = {
    '@native/lib-here': { version: '1.2.3' },
    'one/node_modules/two': { version: '2.0.0' },
    '@native/lib-elsewhere': { version: '1.2.3' },
    'inside-another': { version: '1.0.0', inBundle: true },
    plain: { version: '1.0.0', integrity: hash },
  };
  const installed = { '@native/lib-here': {}, 'one/node_modules/two': {}, 'inside-another': {}, plain: {} };
  const { status, stderr } = run('refuse-unverified.js', makeProject(t, lock, installed));
  assert.equal(status, 1);
  assert.match(stderr, /: @native\/lib-here@1\.2\.3, two@2\.0\.0\.\n.*npm run lock/);
});

test('a package of another platform may lack its hash', (t) => {
  const root = makeProject(t, { '@native/lib-elsewhere': { version: '1.2.3' } }, {});
  assert.equal(run('refuse-unverified.js', root).status, 0);
});

const licences: [manifest: unknown, isFine: boolean][] = [
  [{ license: 'MIT' }, true],
  [{ license: '(MIT OR GPL-3.0-only)' }, true],
  [{ license: '(MIT AND Zlib)' }, true],
  [{ licenses: [{ type: 'BSD-3-Clause' }] }, true],
  [{ license: 'AGPL-3.0-or-later' }, false],
  [{ license: '(MIT AND GPL-3.0-only)' }, false],
  [{ license: 'MPL-2.0' }, false],
  [{ license: 'UNLICENSED' }, false],
  [{}, false],
];
for (const [manifest, isFine] of licences) {
  test(`${isFine ? 'accepts' : 'refuses'} a package with ${JSON.stringify(manifest)}`, (t) => {
    const root = makeProject(t, { some: { version: '1.0.0', integrity: hash } }, { some: manifest });
    const { status, stderr } = run('check-licences.js', root);
    assert.equal(status, isFine ? 0 : 1);
    if (!isFine) assert.match(stderr, /^some has the license /);
  });
}

test('restores the link to the pinned Node where npm has removed it, and keeps an existing one', (t) => {
  const name = `node-${process.platform}-${process.arch}`;
  const root = makeProject(t, {}, { [name]: {} });
  const binary = join(root, 'node_modules', name, 'bin', 'node');
  mkdirSync(dirname(binary));
  writeFileSync(binary, '');
  const link = join(root, 'node_modules', '.bin', 'node');
  for (const attempt of ['without one', 'with one']) {
    assert.equal(run('link-node.js', root).status, 0, attempt);
    assert.equal(realpathSync(link), realpathSync(binary), attempt);
  }
});

test('an install without development tools builds the service only, and says so', (t) => {
  for (const [packages, built] of [
    [{}, /the SDK needs development tools.*the service is built/s],
    [{ typescript: {} }, /^(?!.*development tools).*all is built/s],
  ] as const) {
    const root = makeProject(t, {}, packages);
    const scripts = { build: 'echo all is built', 'build:service': 'echo the service is built' };
    writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
    const { status, stdout } = run('prepare.js', root);
    assert.equal(status, 0);
    assert.match(stdout, built);
  }
});

test('builds workspaces at the same time, and fails if one of them does', (t) => {
  const root = makeProject(t, {}, {});
  writeFileSync(join(root, 'package.json'), JSON.stringify({ workspaces: ['failing', 'waiting'] }));
  // One of them needs the other one to be under way.
  const untilThere = (file: string) => `until [ -e ../${file} ]; do sleep 0.01; done`;
  const scripts = {
    failing: `touch ../begun; ${untilThere('ended')}; echo it is broken >&2; exit 3`,
    waiting: `${untilThere('begun')}; touch ../ended; echo it is built`,
  };
  for (const [name, build] of Object.entries(scripts)) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'package.json'), JSON.stringify({ name, scripts: { build } }));
  }
  const build = (...names: string[]) => {
    const file = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));
    return spawnSync(process.execPath, [file, ...names], { cwd: root, encoding: 'utf8' });
  };
  const { status, stdout, stderr } = build('failing', 'waiting');
  assert.equal(status, 1);
  assert.match(stdout, /it is built/);
  assert.match(stderr, /it is broken/);
  assert.equal(build('waiting').status, 0);
});

test('installing checks the hashes before any of our code runs', async () => {
  const { default: root } = await import('../../package.json', { with: { type: 'json' } });
  assert.match(root.scripts.preinstall, /^node scripts\/refuse-unverified\.js && /);
});
