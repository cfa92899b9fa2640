import assert from 'node:assert/strict';
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { knownVariables } from '../src/config/known-variables.ts';
import { settings } from '../src/config/settings.ts';

// Docker, Helm and systemd aren't there where the tests run. The files that they read must fit the project.
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readJson = (file: string) => JSON.parse(read(file));
/** Returns what the group of a pattern finds, and fails if it finds nothing. */
const find = (text: string, pattern: RegExp): string[] => {
  const found = [...text.matchAll(pattern)].map((match) => match[1]!);
  assert.notEqual(found.length, 0, `expected ${pattern}`);
  return found;
};

const chart = 'deploy/helm/trackside';
const inDeploy = globSync('deploy/**', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));

test('the files for deployments only name settings that exist', () => {
  for (const file of ['Dockerfile', 'compose.yaml', ...inDeploy]) {
    for (const [variable] of read(file).matchAll(/TRACKSIDE_[A-Z\d_]+/g))
      assert.ok(knownVariables.includes(variable), `${file}: ${variable} is not a setting`);
  }
  assert.ok(inDeploy.includes(`${chart}/templates/deployment.yaml`), 'expected to find the files');
});

test('image, Compose and chart agree on port, user, folder and version', () => {
  const image = read('Dockerfile');
  const deployment = read(`${chart}/templates/deployment.yaml`);
  const compose = parse(read('compose.yaml'));
  const port = settings.port.fallback;
  assert.deepEqual(find(image, /^ +TRACKSIDE_PORT=(\d+)/gm), [port]);
  assert.deepEqual(find(image, /^EXPOSE (\d+)/gm), [port]);
  assert.deepEqual(find(deployment, /containerPort: (\d+)/g), [port]);
  assert.deepEqual(find(deployment, /name: TRACKSIDE_PORT\s+value: "(\d+)"/g), [port]);
  assert.equal(compose.services.caddy.environment.UPSTREAM, `trackside:${port}`);

  const [user] = find(image, /^USER (\d+):/gm);
  assert.deepEqual(find(image, /useradd --uid (\d+)/g), [user]);
  for (const id of find(deployment, /(?:runAsUser|runAsGroup|fsGroup): (\d+)/g)) assert.equal(id, user);

  const [folder] = find(image, /^VOLUME (\S+)/gm);
  assert.deepEqual(find(image, /^ +TRACKSIDE_DATA_DIR=(\S+)/gm), [folder]);
  assert.deepEqual(compose.services.trackside.volumes, [`data:${folder}`]);
  assert.ok(find(deployment, /mountPath: (\S+)/g).includes(folder!));
  const [inChart] = find(deployment, /name: TRACKSIDE_DATA_DIR\s+value: (\S+)/g);
  assert.ok(inChart!.startsWith(`${folder}/`), `expected a folder in the volume, got ${inChart}`);

  const { version } = readJson('package.json');
  assert.equal(parse(read(`${chart}/Chart.yaml`)).appVersion, version);
  assert.equal(parse(read(`${chart}/values.yaml`)).replicaCount, 1);
});

test("a service that is called trackside can't change TRACKSIDE_PORT", () => {
  assert.match(read(`${chart}/templates/deployment.yaml`), /^ {6}enableServiceLinks: false$/m);
});

test('an image gets every package that the bundled server loads', () => {
  const { packages } = readJson('package-lock.json');
  const [external] = find(read('server/build/build.ts'), /external: \[([^\]]+)\]/g);
  const needed = new Set(find(external!, /'([^']+)'/g));
  for (const name of needed) {
    const { dependencies = {} } = packages[`node_modules/${name}`];
    for (const dependency of Object.keys(dependencies)) needed.add(dependency);
  }
  const copied = find(read('Dockerfile'), / node_modules\/(\S+)/g);
  for (const name of needed) assert.ok(copied.includes(name), `Dockerfile: node_modules/${name} is missing`);
  assert.ok(copied.includes('@chdb'), 'Dockerfile: the native library of chDB is missing');
});

test('a build of the image sees every workspace, and no other file by accident', () => {
  const [first, ...rules] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(first, '*');
  const { workspaces, scripts } = readJson('package.json');
  const lets = (path: string) =>
    rules.some((rule) => rule === `!${path}` || path.startsWith(`${rule}/`.slice(1)));
  for (const workspace of workspaces)
    assert.ok(lets(`${workspace}/package.json`), `.dockerignore leaves out ${workspace}/package.json`);
  for (const script of find(scripts.preinstall + scripts.prepare, /(scripts\/[\w-]+\.js)/g))
    assert.ok(lets(script), `.dockerignore leaves out ${script}`);
  for (const file of find(read('Dockerfile'), / (deploy\/docker\/\S+)/g)) {
    assert.ok(lets(file), `.dockerignore leaves out ${file}`);
    accessSync(join(root, file), constants.X_OK);
  }
  assert.equal(lets('data/secret.key'), false);
});

test('the service of systemd starts programs that an install has', () => {
  const unit = read('deploy/systemd/trackside.service');
  const [folder] = find(unit, /^WorkingDirectory=(\S+)/gm);
  const [command] = find(unit, /^ExecStart=(.+)/gm);
  const [node, program, ...words] = command!.split(' ');
  for (const path of [node!, program!]) {
    assert.ok(path.startsWith(`${folder}/`), path);
    accessSync(join(root, path.slice(folder!.length)), constants.X_OK);
  }
  assert.deepEqual(words, ['serve']);
  assert.doesNotMatch(unit, /^MemoryDenyWriteExecute/m, 'Node compiles code at run time');
});

test('the cluster of Compose fits together: servers, shards, replicas and Keepers', () => {
  const { services } = parse(read('deploy/cluster/compose.yaml'), { merge: true });
  const clickhouse = read('deploy/cluster/clickhouse.xml');
  const keeper = read('deploy/cluster/keeper.xml');
  const namesOf = (prefix: string) => Object.keys(services).filter((name) => name.startsWith(prefix));

  const hosts = namesOf('clickhouse-');
  assert.equal(hosts.length, 4);
  assert.deepEqual(find(clickhouse, /<host>(clickhouse-[^<]+)</g), hosts);
  const shards = clickhouse.split('<shard>').slice(1);
  assert.equal(shards.length, 2);
  for (const [at, shard] of shards.entries()) {
    assert.match(shard, /<internal_replication>true</);
    const replicas = find(shard, /<host>([^<]+)</g);
    assert.deepEqual(replicas, [`clickhouse-${at + 1}-1`, `clickhouse-${at + 1}-2`]);
    for (const [place, name] of replicas.entries()) {
      const { environment, hostname } = services[name];
      assert.deepEqual([environment.SHARD, environment.REPLICA, hostname], [at + 1, place + 1, name]);
    }
  }

  const keepers = namesOf('keeper-');
  assert.deepEqual(find(clickhouse, /<host>(keeper-[^<]+)</g), keepers);
  assert.deepEqual(find(keeper, /<hostname>([^<]+)</g), keepers);
  const [keeperPort] = find(keeper, /<tcp_port>(\d+)</g);
  assert.ok(find(clickhouse, /<host>keeper-\d<\/host><port>(\d+)/g).every((port) => port === keeperPort));
  for (const [at, name] of keepers.entries()) assert.equal(services[name].environment.KEEPER_ID, at + 1);

  const servers = namesOf('trackside-');
  assert.equal(servers.length, 2);
  const [cluster] = find(clickhouse, /<remote_servers replace="true">\s*<(\w+)>/g);
  for (const name of servers) {
    const { environment, volumes } = services[name];
    assert.equal(environment.TRACKSIDE_CLICKHOUSE_CLUSTER, cluster);
    assert.equal(environment.TRACKSIDE_CLICKHOUSE_URL, hosts.map((host) => `http://${host}:8123`).join());
    assert.deepEqual(volumes, [`${name}:/data`]);
  }
  const upstreams = find(read('deploy/cluster/Caddyfile'), /reverse_proxy (.+) \{/g);
  assert.deepEqual(upstreams, [servers.map((name) => `${name}:${settings.port.fallback}`).join(' ')]);
});
