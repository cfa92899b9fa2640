import { existsSync } from 'node:fs';
import { forgetDamage, readDamage } from '../../damage/damage-log.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { readSystemFault } from '../../files/system-fault.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { refuseNoInstallation } from '../parts/refuse-no-installation.ts';
import { refuseRoot } from '../parts/refuse-root.ts';
import { checkBackup } from './doctor/check-backup.ts';
import { checkClock } from './doctor/check-clock.ts';
import { checkControl } from './doctor/check-control.ts';
import { checkDamage } from './doctor/check-damage.ts';
import { checkDisk } from './doctor/check-disk.ts';
import { checkEngine } from './doctor/check-engine.ts';
import { checkFolder } from './doctor/check-folder.ts';
import { checkJournal } from './doctor/check-journal.ts';
import { checkNode } from './doctor/check-node.ts';
import { checkOutside } from './doctor/check-outside.ts';
import { checkProxies } from './doctor/check-proxies.ts';
import { checkServer } from './doctor/check-server.ts';
import { checkSync, hanging } from './doctor/check-sync.ts';
import { checkUser } from './doctor/check-user.ts';
import { checksOfCluster } from './doctor/cluster/check-cluster.ts';
import { type Finding, warning } from './doctor/finding.ts';

type Check = [name: string, run: () => Promise<Finding[]>, needs?: 'disk'];

const unchecked = warning('not checked', 'run `trackside doctor` again when the disk responds');
const signs = { ok: 'ok  ', warning: 'warn', fault: 'FAIL' } as const;

export const doctorCommand: Command = {
  usage: 'doctor [--forget ID | --url https://stats.example.com | --cluster]',
  help:
    'Checks the machine and the data folder (Node, permissions, disk space, the speed of fsync, ' +
    'the engine, the clock, the\n' +
    'journal and the loader), and tells you what to do about each problem. ' +
    'Exits with 1 if something is wrong. Known damage\n' +
    'is listed until it is repaired, or until you accept it: ' +
    '--forget ID takes it off the list and changes nothing else.\n' +
    'With --url, checks a server at its public address instead, and tells you what a proxy in front gets wrong.\n' +
    'With --cluster, checks the ClickHouse cluster in TRACKSIDE_CLICKHOUSE_CLUSTER instead.',
  words: { min: 0, max: 0 },
  flags: {
    url: { type: 'string', help: 'public address of a server to check from outside' },
    cluster: { type: 'boolean', help: 'check the hosts, shards and replicas of a ClickHouse cluster' },
    forget: { type: 'string', multiple: true, help: 'ID of damage that you have repaired or accept' },
  },
  isForAnyUser: true,
  isForAnyFolder: true,
  async run(input) {
    const { config } = input;
    const folder = dataFolder(config.dataDir);
    const forgotten = input.lists.forget ?? [];
    if (forgotten.length > 0) {
      const uid = process.getuid?.() ?? -1;
      const command = 'doctor --forget …';
      await refuseRoot({ dataDir: config.dataDir, uid, writesBesideServer: true, command });
      if (!existsSync(folder.damage)) await refuseNoInstallation(config);
      return await forget(folder.damage, forgotten);
    }
    const url = typeof input.flags.url === 'string' ? readUrl(input.flags.url) : undefined;
    const checks = input.flags.cluster ? await checksOfCluster(config, input.clock) : checksOf(input, url);
    const findings: (Finding & { check: string })[] = [];
    let isDiskHanging = false;
    for (const [check, run, needs] of checks) {
      input.progress(`checking ${check} …`);
      const found: Finding[] =
        isDiskHanging && needs === 'disk'
          ? [unchecked]
          : await run().catch((error: unknown): Finding[] => [explain(error)]);
      isDiskHanging ||= found.includes(hanging);
      findings.push(...found.map((finding) => ({ check, ...finding })));
    }
    const text = findings
      .map(({ check, state, says, todo }) => {
        const line = `${signs[state]}  ${check.padEnd(12)} ${says}`;
        return todo === undefined ? line : `${line}\n${' '.repeat(19)}→ ${todo}`;
      })
      .join('\n');
    return { json: { findings }, text, isFailure: findings.some(({ state }) => state === 'fault') };
  },
};

function checksOf(input: CommandInput, url: URL | undefined): Check[] {
  return url === undefined ? checksOfMachine(input) : [['outside', () => checkOutside(url)]];
}

/** The checks of this machine and its data folder. */
function checksOfMachine(input: CommandInput): Check[] {
  const { config } = input;
  const folder = dataFolder(config.dataDir);
  const checks: Check[] = [
    ['Node', async () => [checkNode(process.versions.node)]],
    ['data folder', () => checkFolder(config)],
    ['clock', () => checkClock(folder, input.clock)],
  ];
  // Before the first start there is nothing to check, and nothing can be wrong.
  if (existsSync(config.dataDir)) {
    checks.push(
      ['user', () => checkUser({ dataDir: config.dataDir, uid: process.getuid?.() ?? -1 })],
      ['disk', () => checkDisk(config)],
      ['fsync', () => checkSync(config.dataDir)],
      ['server', () => checkServer(input)],
      ['control', () => checkControl(input), 'disk'],
      ['damage', () => checkDamage(folder.damage), 'disk'],
      ['journal', () => checkJournal(input), 'disk'],
      ['backup', () => checkBackup(input), 'disk'],
      ['engine', () => checkEngine(input), 'disk'],
      ['proxies', async () => checkProxies(folder)],
    );
  }
  return checks;
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(`--url: expected an address such as https://stats.example.com, got "${text}"`);
}

function explain(error: unknown): Finding {
  const systemFault = readSystemFault(error);
  if (systemFault !== undefined) return { state: 'fault', says: systemFault.says, todo: systemFault.todo };
  return { state: 'fault', says: error instanceof Error ? error.message : String(error), todo: undefined };
}

/**
 * Removes damage from the list. An id that is not on the list is not a failure, because the result is the one
 * that was wanted.
 */
async function forget(folder: string, ids: readonly string[]): Promise<CommandOutput> {
  const lines: string[] = [];
  const forgotten: string[] = [];
  for (const id of ids) {
    const isKnown = await forgetDamage(folder, id);
    if (isKnown) forgotten.push(id);
    lines.push(isKnown ? `Removed ${id} from the list.` : `${id} is not on the list.`);
  }
  const left = await readDamage(folder);
  lines.push(left.length === 0 ? 'There is no other known damage.' : 'Still on the list:');
  for (const { id, says } of left) lines.push(`${id}: ${says}`);
  return { json: { forgotten, left }, text: lines.join('\n') };
}
