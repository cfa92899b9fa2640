import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Command } from './commands/command.ts';
import { createProgress } from './commands/create-progress.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { repairCommand } from './commands/repair.ts';
import { serveCommand } from './commands/serve.ts';
import { statsCommand } from './commands/stats.ts';
import { tokenCommands } from './commands/token.ts';
import { verifyCommand } from './commands/verify.ts';
import { websiteCommands } from './commands/website.ts';
import { readConfig, settings } from './config.ts';
import { systemClock } from './core/clock.ts';
import { OperatorError } from './core/operator-error.ts';

const commands: Record<string, Command> = {
  serve: serveCommand,
  ...websiteCommands,
  ...tokenCommands,
  stats: statsCommand,
  export: exportCommand,
  demo: demoCommand,
  doctor: doctorCommand,
  verify: verifyCommand,
  repair: repairCommand,
  rebuild: rebuildCommand,
};

/** Finds the longest name that the words begin with: `website add` is one name. */
function findCommand(words: string[]): { name: string; rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (Object.hasOwn(commands, name)) return { name, rest: words.slice(length) };
  }
  return undefined;
}

function overview(): string {
  const lines = Object.values(commands).map(({ usage, help }) => `  ${usage}\n      ${firstSentence(help)}`);
  return `trackside: server-side web analytics\n\n${lines.join('\n')}\n\nEach has --help, --json and --data-dir.\n`;
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
  help: { type: 'boolean', help: 'print this' },
} as const;

/** Runs the command line and returns the exit code: 0 done, 1 failed, 2 not understood. */
async function main(argv: string[]): Promise<number> {
  if (argv.includes('--version')) {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const found = findCommand(argv);
  if (found === undefined) {
    const isAsked = argv.length === 0 || argv[0] === '--help' || argv[0] === 'help';
    if (!isAsked) process.stderr.write(`trackside: there is no command "${argv.slice(0, 2).join(' ')}"\n\n`);
    process[isAsked ? 'stdout' : 'stderr'].write(overview());
    return isAsked ? 0 : 2;
  }
  const command = commands[found.name]!;
  const { values, positionals } = parseArgs({
    args: found.rest,
    options: { ...command.flags, ...commonFlags },
    allowPositionals: true,
    strict: true,
  });
  if (values.help) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  if (positionals.length < command.words.min || positionals.length > command.words.max) {
    process.stderr.write(`Expected: trackside ${command.usage}\n`);
    return 2;
  }
  const flags = values as Record<string, string | boolean | undefined>;
  const config = readConfig(flags, process.env);
  const progress = createProgress({ terminal: process.stderr, isSilent: values.json === true });
  const output = await command
    .run({ config, clock: systemClock, words: positionals, flags, progress: progress.show })
    .finally(progress.end);
  if (output === undefined) return 0;
  process.stdout.write(`${values.json ? JSON.stringify(output.json, null, 2) : output.text}\n`);
  return output.isFailure === true ? 1 : 0;
}

/** Faults that the person at the keyboard can mend are told in words; a stack is for faults of ours. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof OperatorError) return { text: error.message, code: 1 };
  // The system's own words, such as "no space left on device, open …", say more than where in the code it was.
  if (error instanceof Error && 'syscall' in error) return { text: error.message, code: 1 };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERR_PARSE_ARGS')) return { text: (error as Error).message, code: 2 };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { text, code } = explain(error);
  // Not only the exit code: what was started before the fault would keep the process alive.
  process.stderr.write(`trackside: ${text}\n`, () => process.exit(code));
}
