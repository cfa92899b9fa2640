import { parseArgs } from 'node:util';
import { readConfig } from '../config/read-config.ts';
import { settings } from '../config/settings.ts';
import { readSystemFault, spellFault } from '../files/system-fault.ts';
import { answersWithinMs, HangingFolderError, lookAtFolder } from '../files/try-folder.ts';
import { version } from '../files/version.ts';
import { OperatorError } from '../operator-error.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Command, CommandInput } from './command.ts';
import { refuseNoInstallation } from './parts/refuse-no-installation.ts';
import { refuseRoot } from './parts/refuse-root.ts';
import { findUnknownVariables } from './server/find-unknown-variables.ts';
import { createProgress, type Terminal } from './terminal/create-progress.ts';

type Commands = Record<string, Command>;

/**
 * Command families by their first word. Each is loaded only when it is called, because the server's code
 * takes a second to load.
 */
const families: Record<string, () => Promise<Commands>> = {
  serve: async () => ({ serve: (await import('./server/serve.ts')).serveCommand }),
  engine: async () => ({ engine: (await import('./server/engine.ts')).engineCommand }),
  website: async () => ({
    ...(await import('./website/website.ts')).websiteCommands,
    ...(await import('./website/website-data.ts')).websiteDataCommands,
    ...(await import('./website/website-addresses.ts')).websiteAddressesCommands,
    'website divide': (await import('./website/divide.ts')).divideCommand,
    ...(await import('./website/website-exclusions.ts')).websiteExclusionCommands,
  }),
  person: async () => (await import('./data/person.ts')).personCommands,
  user: async () => (await import('./user/user.ts')).userCommands,
  token: async () => (await import('./website/token.ts')).tokenCommands,
  node: async () => (await import('./node/node.ts')).nodeCommands,
  stats: async () => ({ stats: (await import('./data/stats.ts')).statsCommand }),
  ledger: async () => ({ ledger: (await import('./data/ledger.ts')).ledgerCommand }),
  export: async () => ({ export: (await import('./data/export.ts')).exportCommand }),
  demo: async () => ({ demo: (await import('./data/demo.ts')).demoCommand }),
  tail: async () => ({ tail: (await import('./website/tail.ts')).tailCommand }),
  mcp: async () => ({ mcp: (await import('./server/mcp.ts')).mcpCommand }),
  doctor: async () => ({ doctor: (await import('./server/doctor.ts')).doctorCommand }),
  verify: async () => ({ verify: (await import('./data/verify.ts')).verifyCommand }),
  repair: async () => ({ repair: (await import('./data/repair.ts')).repairCommand }),
  backup: async () => ({ backup: (await import('./backup/backup.ts')).backupCommand }),
  restore: async () => ({ restore: (await import('./backup/restore.ts')).restoreCommand }),
  'secret-key': async () => (await import('./server/secret-key.ts')).secretKeyCommands,
  move: async () => ({ move: (await import('./move/move.ts')).moveCommand }),
  rebuild: async () => ({ rebuild: (await import('./data/rebuild.ts')).rebuildCommand }),
};

/** Commands that report unknown variables in their log. */
const services = ['serve', 'engine'];

/** Finds the command with the longest matching name: `website add` is one name. */
async function findCommand(
  words: string[],
): Promise<{ name: string; command: Command; rest: string[] } | undefined> {
  const first = words[0] ?? '';
  if (!Object.hasOwn(families, first)) return undefined;
  const commands = await families[first]!();
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (Object.hasOwn(commands, name)) return { name, command: commands[name]!, rest: words.slice(length) };
  }
  return undefined;
}

/** Lists the commands if that is what was asked for, and otherwise says how to list them. */
async function explainCommands(
  [first = '--help', second]: string[],
  { stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>,
): Promise<number> {
  const family = Object.hasOwn(families, first) ? families[first] : undefined;
  if (first === '--help' || first === 'help') stdout.write(await overview(Object.values(families)));
  else if (family !== undefined && second === '--help') stdout.write(await overview([family]));
  else {
    const name = second === undefined ? first : `${first} ${second}`;
    const help = family === undefined ? '--help' : `${first} --help`;
    stderr.write(`trackside: unknown command "${name}". Run \`trackside ${help}\` to list the commands.\n`);
    return 2;
  }
  return 0;
}

async function overview(shown: (() => Promise<Commands>)[]): Promise<string> {
  const all = await Promise.all(shown.map((load) => load()));
  const lines = all
    .flatMap((commands) => Object.values(commands))
    .map(({ usage, help }) => `  ${usage}\n      ${firstSentence(help)}`);
  return (
    `trackside: server-side web analytics\n\n${lines.join('\n')}\n\n` +
    'Every command takes --help, --json and --data-dir.\n'
  );
}

function firstSentence(help: string): string {
  const line = help.replaceAll('\n', ' ');
  return line.slice(0, line.indexOf('. ') === -1 ? undefined : line.indexOf('. ') + 1);
}

function commandHelp({ usage, help, flags }: Command): string {
  const all = { ...flags, ...commonFlags };
  const width = Math.max(...Object.keys(all).map((name) => name.length));
  const lines = Object.entries(all).map(([name, flag]) => `  --${name.padEnd(width)}  ${flag.help}`);
  return `trackside ${usage}\n\n${help}\n\n${lines.join('\n')}\n`;
}

const commonFlags = {
  'data-dir': { type: 'string', help: `${settings.dataDir.help} (default: ./data) [TRACKSIDE_DATA_DIR]` },
  'secret-key-file': { type: 'string', help: settings.secretKeyFile.help },
  json: { type: 'boolean', help: 'print JSON, for scripts' },
  help: { type: 'boolean', help: 'print this help' },
} as const;

/** What a command line has of the outside: streams to write to, an environment with settings, and a clock. */
export type CommandIo = {
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: Terminal;
  env: NodeJS.ProcessEnv;
  clock?: Clock;
};

/**
 * Runs a command line and returns the exit code: 0 for success, 1 for a failure or a value that can't be used,
 * 2 for an unknown command or flag and for the wrong number of words.
 */
export async function runCommandLine(argv: string[], io: CommandIo): Promise<number> {
  const { stdout, stderr, env, clock = systemClock } = io;
  if (argv.includes('--version')) {
    stdout.write(`${version}\n`);
    return 0;
  }
  const found = await findCommand(argv);
  if (found === undefined) return await explainCommands(argv, io);
  const { name, command } = found;
  const { values, positionals } = parseArgs({
    args: found.rest,
    options: { ...command.flags, ...commonFlags },
    allowPositionals: true,
    strict: true,
  });
  if (values.help) {
    stdout.write(commandHelp(command));
    return 0;
  }
  if (positionals.length < command.words.min || positionals.length > command.words.max) {
    stderr.write(`Expected: trackside ${command.usage}\n`);
    return 2;
  }
  const { flags, lists } = sortFlags(command, values);
  if (!services.includes(name))
    for (const warning of findUnknownVariables(env)) stderr.write(`trackside: ${warning}\n`);
  const config = readConfig(flags, env);
  await lookAtFolder({ folder: config.dataDir, withinMs: answersWithinMs });
  if (command.isForAnyUser !== true) {
    const rest = found.rest.length === 0 ? '' : ' …';
    await refuseRoot({
      dataDir: config.dataDir,
      uid: process.getuid?.() ?? -1,
      writesBesideServer: command.writesBesideServer === true,
      command: `${name}${rest}`,
    });
  }
  if (command.isForAnyFolder !== true) await refuseNoInstallation(config);
  const progress = createProgress({ terminal: stderr, isSilent: values.json === true });
  const output = await command
    .run({
      name,
      config,
      clock,
      words: positionals,
      flags,
      lists,
      progress: progress.show,
      print: (line) => void stdout.write(`${line}\n`),
      isColored: stdout.isTTY === true && (env.NO_COLOR ?? '') === '',
    })
    .finally(progress.end);
  if (output === undefined) return 0;
  stdout.write(`${values.json ? JSON.stringify(output.json, null, 2) : output.text}\n`);
  return output.isFailure === true ? 1 : 0;
}

function sortFlags(command: Command, values: Record<string, unknown>): Pick<CommandInput, 'flags' | 'lists'> {
  const isList = (name: string) => command.flags[name]?.multiple === true;
  const flags = Object.entries(values).filter(([name]) => !isList(name));
  const lists = Object.keys(command.flags).filter(isList);
  return {
    flags: Object.fromEntries(flags) as CommandInput['flags'],
    lists: Object.fromEntries(lists.map((name) => [name, (values[name] ?? []) as string[]])),
  };
}

/** Explains an error to the person at the keyboard. Only a bug in Trackside is shown with its stack. */
export function explainFault(error: unknown): { text: string; code: number; isHanging?: boolean } {
  if (error instanceof HangingFolderError) return { text: error.message, code: 1, isHanging: true };
  if (error instanceof OperatorError) return { text: error.message, code: 1 };
  const fault = readSystemFault(error);
  if (fault !== undefined) return { text: spellFault(fault), code: 1 };
  // The system's own message says more than the place in the code.
  if (error instanceof Error && 'syscall' in error) return { text: error.message, code: 1 };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERR_PARSE_ARGS')) return { text: (error as Error).message, code: 2 };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `${stack}\nThis is probably a bug in Trackside. Please report it, and include these lines.`,
    code: 1,
  };
}
