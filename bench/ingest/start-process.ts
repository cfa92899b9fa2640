import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export type Started = { origin: string; pid: number; stop: () => Promise<void> };

/** Starts a server and waits until it prints its address. */
export async function startProcess(args: string[], environment: Record<string, string>): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = '';
    const read = (chunk: string) => {
      text += chunk;
      const found = /(?:is running at|listens on) (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    };
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`${args[0]} ended before it listened:\n${text}`)));
  });
  return {
    origin,
    pid: child.pid!,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the resident memory in MB of a process and its children. */
export function residentMb(pid: number): { pid: number; name: string; mb: number }[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const name = /engine[/-]main/.test(command) ? 'engine' : 'node';
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const below = children === '' ? [] : children.split(' ').flatMap((child) => residentMb(Number(child)));
  return [{ pid, name, mb }, ...below];
}
