import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm, testLong } from './support/long-form.ts';
import { requestText } from './support/raw-connection.ts';
import { pageView, post } from './support/records.ts';
import { createServerHere } from './support/serve-here.ts';
import { createServerProcess, main, pretendToBe } from './support/spawn-server.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

// This follows one server from its first start to its last. Each part begins where the previous one ended.
test('a server prints the first steps, shares neither port nor files, and stops cleanly', async (t) => {
  const trackside = await startTrackside(t);
  const { dataDir, folder, control } = trackside;
  const links = () => [...trackside.output().matchAll(/^(\S+)\/setup#(\S+)$/gm)];
  // The test itself creates the compile cache, to share compiled code.
  const ofServer = (path: string) => !path.includes('compile-cache');
  let stoppedId = 0;

  await t.test('only the user of the server can read its files', () => {
    assert.deepEqual(whatIsOpen(dataDir).filter(ofServer), []);
    assert.ok(!trackside.output().includes('other users'), trackside.output());
  });

  await t.test('the first start prints a setup link', async () => {
    await waitFor('the link', () => links().length === 1);
    const [, origin, token] = links()[0]!;
    assert.equal(origin, trackside.origin());
    assert.equal(await control.users.hasSetupToken(token!), true);
  });

  await t.test(
    'the first start creates a website to try and prints a curl line that works, without the key',
    async () => {
      const apiKey = await control.websites.apiKey(1);
      const output = trackside.output();
      assert.ok(!output.includes(apiKey), 'expected no key where it lands in a log');
      for (const line of trackside.onStdout().trim().split('\n')) JSON.parse(line);
      const line = /curl[\s\S]*?}}}'/.exec(output)?.[0] ?? '';
      assert.ok(line.includes(`$(npx trackside website show-key demo.test`), output);
      const command = line.replace(/\$\([^)]*\)/, apiKey);
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')]);
      assert.deepEqual(JSON.parse(stdout), { Code: 200, Message: 'Success' });
      await trackside.untilTakenUp();
      await waitFor('the record to be counted', async () => {
        return JSON.parse((await trackside.runHere('stats', 'demo.test', '--json')).stdout).pageViews === 1;
      });
    },
  );

  await t.test(
    'refuses a second server on the same folder, or on a taken port, in one line',
    async (part) => {
      const start = (dataDir: string, port: string) =>
        promisify(execFile)(process.execPath, [main, 'serve', '--data-dir', dataDir, '--port', port]).catch(
          (error: { code: number; stderr: string }) => error,
        );
      const sameFolder = await start(trackside.dataDir, '0');
      assert.ok('code' in sameFolder && sameFolder.code === 1);
      assert.match(sameFolder.stderr, /^trackside: .*another server is running on this folder.*\n$/);
      const other = mkdtempSync(join(tmpdir(), 'trackside-'));
      // The engine of a server that couldn't start may take a moment longer to end.
      part.after(() => rmSync(other, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
      const samePort = await start(other, new URL(trackside.origin()).port);
      assert.ok('code' in samePort && samePort.code === 1);
      assert.match(samePort.stderr, /^trackside: Port \d+ on 127\.0\.0\.1 is already in use.*\n$/);
    },
  );

  await t.test(
    'SIGTERM answers requests in progress, waits for nobody forever, and ends with 0',
    async () => {
      const { id, apiKey } = await trackside.addWebsite('a.test');
      stoppedId = id;
      const { port } = new URL(trackside.origin());
      await waitFor(
        'the key to be known',
        async () => (await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status === 200,
      );

      const body = JSON.stringify(pageView());
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      const headers = { Authorization: apiKey, 'Content-Length': String(body.length) };
      // Only one of the two finishes its request.
      const unfinished = connect(Number(port), '127.0.0.1').on('error', () => {});
      for (const one of [socket, unfinished]) {
        one.write(requestText('POST', '/api/page-view', headers));
        one.write(body.slice(0, 100));
      }
      await once(unfinished, 'connect');
      await waitFor(
        'the request to arrive',
        async () => (await fetch(`${trackside.origin()}/health`)).status === 200,
      );
      const before = trackside.output().length;
      const ended = trackside.end('SIGTERM');
      // Noticed at once, because the server waits for the rest only for a while.
      await waitFor('the server to be told', () => /"stopping: /.test(trackside.output().slice(before)));
      socket.write(body.slice(100));
      assert.equal(await ended, 0);
      assert.match(answer, /^HTTP\/1\.1 200 OK/);
    },
  );

  await t.test('the next start has loaded what was answered', async () => {
    const folders = [dataDir, folder.control, folder.journal, folder.store];
    const files = [folder.nodeLock, `${folder.store}.lock`, join(dataDir, 'secret.key')];
    for (const path of folders) chmodSync(path, 0o755);
    for (const path of [...files, join(folder.control, 'control.db')]) chmodSync(path, 0o644);
    await trackside.start();
    await waitFor(
      'both records to be in the store',
      async () => (await trackside.countRows(`website_id = ${stoppedId}`).catch(() => 0)) === 2,
    );
  });

  await t.test('a start makes open files private', () => {
    assert.deepEqual(whatIsOpen(dataDir).filter(ofServer), []);
    assert.match(trackside.output(), /other users of this machine could open \S+ \(mode 0644\) and \d+ more/);
  });

  await t.test('every start prints a new setup link, but the first steps only once', async () => {
    await waitFor('another link', () => links().length === 2);
    assert.equal(await control.users.hasSetupToken(links()[0]![2]!), false);
    assert.equal(trackside.output().match(/curl/g)?.length, 1);
    const token = links()[1]![2]!;
    await control.users.addFirst({ token, email: 'ada@example.com', password: 'tea at eleven' });
  });

  await t.test('a second signal ends the process at once and loses nothing that was answered', async () => {
    const { id, apiKey } = await trackside.addWebsite('b.test');
    await waitFor(
      'the key to be known',
      async () => (await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status === 200,
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => post(trackside.origin(), '/api/page-view', apiKey, pageView())),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const socket = connect(Number(new URL(trackside.origin()).port), '127.0.0.1');
    socket.on('error', () => {});
    // After the first signal, the server waits for this unfinished request. The second signal ends the
    // process.
    socket.write(
      `POST /api/page-view HTTP/1.1\r\nHost: x\r\nAuthorization: ${apiKey}\r\nContent-Length: 9\r\n\r\n{`,
    );
    await once(socket, 'connect');
    const ended = trackside.end('SIGINT');
    const again = setInterval(() => process.kill(trackside.pid(), 'SIGINT'), 50);
    assert.equal(await ended.finally(() => clearInterval(again)), 130);
    const next = createServerHere({ dataDir });
    t.after(() => next.end('SIGTERM'));
    await next.start();
    assert.doesNotMatch(next.output.join(''), /\/setup#/, 'there is a user now');
    await waitFor(
      'every record to be in the store',
      async () => (await trackside.countRows(`website_id = ${id}`).catch(() => 0)) === 201,
    );
  });
});

// In the short form, the first user of app-security.test.ts comes from the environment.
if (isLongForm) {
  test('the first user can come from the environment, without a link or a trace of the password', async (t) => {
    const environment = {
      TRACKSIDE_ADMIN_EMAIL: 'ada@example.com',
      TRACKSIDE_ADMIN_PASSWORD: 'tea at eleven',
    };
    const trackside = await startTrackside(t, { environment });
    const user = await trackside.control.users.verify('ada@example.com', 'tea at eleven');
    assert.equal(user?.user.role, 'admin');
    await trackside.end('SIGTERM');
    await trackside.start();
    await trackside.end('SIGTERM');
    assert.equal(await trackside.control.users.count(), 1);
    assert.match(trackside.output(), /users already exist/);
    assert.doesNotMatch(trackside.output(), /tea at eleven|\/setup#/);
  });
}

test('a bad setting stops the start with one line', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [main, 'serve', '--port', '80a', '--data-dir', join(folder, 'data')]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.equal(stderr, 'trackside: --port: expected a whole number from 0 to 65535, got "80a"\n');
  assert.equal(existsSync(join(folder, 'data')), false);
  assert.deepEqual(readdirSync(folder), []);
});

test('a data folder that cannot be created stops the start with what to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), '');
  const result = await promisify(execFile)(process.execPath, [main, 'serve'], {
    env: { TRACKSIDE_DATA_DIR: join(folder, 'file', 'data'), TRACKSIDE_PORT: '0' },
  }).catch((error: { code: number; stderr: string }) => error);
  assert.ok('code' in result && result.code === 1);
  assert.match(
    result.stderr,
    /^trackside: \S+ cannot be used: there is a file.* Move that file away, or .*\n$/,
  );
});

test('SIGTERM ends a server that is still waiting for PostgreSQL, with 0', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'trackside-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const environment = {
    TRACKSIDE_DATABASE_URL: `postgres://ada@127.0.0.1:${await findFreePort()}/trackside`,
  };
  const server = createServerProcess({ dataDir, environment });
  t.after(() => server.end('SIGKILL'));
  await server.start();
  assert.match(server.output.join(''), /answers every request with 503/);
  assert.equal(await server.end('SIGTERM'), 0);
});

/** Runs the entry file as if this were a different version of Node on a different platform. */
function runBinAs(node: { version: string; platform: string }) {
  const args = [...pretendToBe(node), main, '--version'];
  return promisify(execFile)(process.execPath, args).catch(
    (error: { code: number; stderr: string }) => error,
  );
}

test('an old Node hands over to the pinned one', async () => {
  const result = await runBinAs({ version: '20.1.0', platform: process.platform });
  assert.ok('stdout' in result);
  assert.match(String(result.stdout), /^\d+\.\d+\.\d+\n$/);
});

testLong(
  'a server whose old Node was killed stops too, so that the next start finds its folder free',
  async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'trackside-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const server = createServerProcess({ dataDir, nodeArguments: pretendToBe({ version: '20.1.0' }) });
    await server.start();
    await server.end('SIGKILL');
    await waitFor('the server to stop', () => /"msg":"stopped"/.test(server.output.join('')));
  },
);

test('an old Node on a platform without a pinned one says what to do', async () => {
  const result = await runBinAs({ version: '20.1.0', platform: 'plan9' });
  assert.ok('code' in result && result.code === 1);
  assert.match(result.stderr, /^trackside: expected Node 24\.7 or later, got 20\.1\.0.*npm ci/);
});

/**
 * Returns what other users of the machine could open if they had access to the folders above it. The engine
 * renames folders meanwhile, so one may be gone before it is looked at.
 */
function whatIsOpen(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const open = stats.mode & 0o077 ? [`${path} ${(stats.mode & 0o777).toString(8)}`] : [];
  return stats.isDirectory()
    ? [...open, ...namesIn(path).flatMap((name) => whatIsOpen(join(path, name)))]
    : open;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

test('SIGTERM to npm start ends the server, and frees its port', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'trackside-'));
  // In a separate process group, so that nothing is left if the test fails.
  const npm = spawn('npm', ['start', '--', '--data-dir', dataDir, '--port', '0'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'ignore',
    detached: true,
  });
  t.after(() => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const file = join(dataDir, 'origin');
  await waitFor('the server', () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  const { hostname, port } = new URL(readFileSync(file, 'utf8'));
  const exited = once(npm, 'exit');
  npm.kill('SIGTERM');
  await exited;
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  await waitFor('the port to be free', async () => !(await isListening()));
});
