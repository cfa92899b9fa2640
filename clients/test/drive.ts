import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Driver } from './languages.ts';

/** Runs the client's program once: JSON in, JSON out. */
export async function drive<Answer>(driver: Driver, mode: string, given: unknown): Promise<Answer> {
  const { child, ended } = start(driver, mode);
  const output: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stdin.end(`${JSON.stringify(given)}\n`);
  await ended;
  return JSON.parse(Buffer.concat(output).toString());
}

export type Website = {
  origin: string;
  /** Ends the program, and returns its final counts of records. */
  stop(): Promise<Leftover>;
};

export type Leftover = { remaining: number; faults: string[]; counts: Record<string, number> };

/** Starts the client's small website, which ends when its input does. */
export async function startWebsite(driver: Driver, given: unknown): Promise<Website> {
  const { child, ended } = start(driver, 'serve');
  child.stdin.write(`${JSON.stringify(given)}\n`);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), ended.then(() => assert.fail('ended before it listened'))]);
  const { port } = JSON.parse(first.value ?? '');
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.stdin.end();
      const { value } = await lines.next();
      await ended;
      return JSON.parse(value ?? '');
    },
  };
}

function start({ command, args, env }: Driver, mode: string) {
  const child = spawn(command, [...args, mode], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (piece: Buffer) => complaints.push(piece));
  // A program that fails to start closes its input, which the exit code reports better.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${Buffer.concat(complaints)}`));
    });
  });
  return { child, ended };
}
