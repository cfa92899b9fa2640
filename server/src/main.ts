import { explainFault, runCommandLine } from './commands/run-command-line.ts';

// What is written is for this user alone, also where a library makes the file.
process.umask(0o077);
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), process);
} catch (error) {
  const { text, code } = explainFault(error);
  // Not only the exit code: what was started before the fault would keep the process alive.
  process.stderr.write(`trackside: ${text}\n`, () => process.exit(code));
}
