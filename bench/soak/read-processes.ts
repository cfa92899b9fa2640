import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the processes of one kind hold together. */
export type Held = { memoryMb: number; files: number; sockets: number; threads: number };

const nothing = (): Held => ({ memoryMb: 0, files: 0, sockets: 0, threads: 0 });

/** Returns what a server's own processes and its engine hold. */
export function readProcesses(pid: number): { node: Held; engine: Held } {
  const held = { node: nothing(), engine: nothing() };
  const add = (one: number): void => {
    const kind = /engine[/-]main/.test(readFileSync(`/proc/${one}/cmdline`, 'utf8')) ? 'engine' : 'node';
    const own = readHeld(one);
    for (const name of Object.keys(own) as (keyof Held)[]) held[kind][name] += own[name];
    const children = readFileSync(`/proc/${one}/task/${one}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) add(Number(child));
  };
  add(pid);
  return held;
}

function readHeld(pid: number): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const handles = readdirSync(`/proc/${pid}/fd`).map((handle) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${handle}`);
    } catch {
      // It was closed in the meantime.
      return undefined;
    }
  });
  const open = handles.filter((target) => target !== undefined);
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return {
    // Pages of files that are mapped, such as the program itself, can be dropped at any time.
    memoryMb: (field('RssAnon') + field('RssShmem')) / 1024,
    files: open.length - sockets,
    sockets,
    threads: field('Threads'),
  };
}
