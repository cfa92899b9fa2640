import { explainFault, runCommandLine } from './commands/run-command-line.ts';

// Only this user may read the files that are written, including those that a library creates.
process.umask(0o077);
try {
  const code = await runCommandLine(process.argv.slice(2), process);
  // A call to a disk that hangs never returns, and must not keep the process alive.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
} catch (error) {
  const { text, code, isHanging } = explainFault(error);
  // Exits explicitly, because whatever was started before the fault would keep the process alive.
  process.stderr.write(`trackside: ${text}\n`, () => {
    // Exiting would wait for the hanging call.
    if (isHanging) process.kill(process.pid, 'SIGKILL');
    process.exit(code);
  });
}
