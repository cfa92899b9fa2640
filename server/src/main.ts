import { explainFault, runCommandLine } from './commands/run-command-line.ts';

// What is written is for this user alone, also where a library makes the file.
process.umask(0o077);
try {
  const code = await runCommandLine(process.argv.slice(2), process);
  // A question to a disk that hangs is never answered, and must not keep the process alive.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
} catch (error) {
  const { text, code } = explainFault(error);
  // Not only the exit code: what was started before the fault would keep the process alive.
  process.stderr.write(`trackside: ${text}\n`, () => process.exit(code));
}
