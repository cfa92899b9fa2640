import { explainFault, runCommandLine } from '../../src/commands/run-command-line.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';

/** Runs a command in this process, and keeps its output. */
export async function runHere(
  argv: string[],
  env: Record<string, string> = {},
  clock: Clock = systemClock,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
    },
  });
  const io = { stdout: into('stdout'), stderr: into('stderr'), env, clock };
  const code = await runCommandLine(argv, io).catch((error: unknown) => {
    const fault = explainFault(error);
    said.stderr += fault.text;
    return fault.code;
  });
  return { code, ...said };
}
