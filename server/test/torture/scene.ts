import { readFileSync } from 'node:fs';
import type { WritableControl } from '../../src/control/open-control.ts';
import type { Store } from '../../src/store/open-store.ts';
import { runHere } from '../support/run-here.ts';
import { createServerProcess, type ServerProcess } from '../support/spawn-server.ts';
import type { Cut, Victims } from './plan-round.ts';

/** When a record is answered: `TRACKSIDE_ACK`. */
export type Ack = 'disk' | 'store';
/** What runs as a process of its own and is started again by us. */
export type Part = {
  /** Starts it without waiting until it is ready. */
  launch(): Promise<void>;
  kill(): Promise<void>;
  /** Asks it to stop, and doesn't wait. */
  askToStop(): void;
};
export type Node = {
  name: string;
  origin: string;
  /** Runs a command on the node's folder, and returns what it prints. */
  run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts a command in its own process, so that it can be killed. */
  launch(...words: string[]): ServerProcess;
};
/** A system that is running, and what can be done to it. */
export type Scene = {
  nodes: Node[];
  parts: Map<string, Part>;
  /** Returns the processes of a name that are started by a part, which also starts them again. */
  children: Map<string, () => number[]>;
  links: Map<string, { cut(how: Cut): Promise<void>; mend(): Promise<void> }>;
  /** The names of commands that may be interrupted. */
  works: string[];
  /** Whatever else can go wrong, for about as long as is said. Returns when it is over. */
  faults?: Map<string, (ms: number) => Promise<void>>;
  /** How long it may take until a record that arrived twice is there once. Left out where it never may. */
  settleMs?: number;
  /** The time of the nodes, if it isn't that of this machine. */
  now?: () => number;
  /** With `store`, a record that was answered with 200 is in the store. `disk` if left out. */
  ack?: Ack;
  /** Whether a record that was answered with 503 must not be in the store. */
  isRefusalFinal?: boolean;
  /** Returns what ended on its own since the last call, and shouldn't have. */
  endings?: () => string[];
  control: WritableControl;
  store: Store;
  /** What all processes have written. */
  output(): string;
  end(): Promise<void>;
};

export function victimsOf({ parts, children, links, works, faults = new Map() }: Scene): Victims {
  return {
    parts: [...parts.keys()],
    children: [...children.keys()],
    links: [...links.keys()],
    works,
    faults: [...faults.keys()],
  };
}

export function partOf(server: ServerProcess): Part {
  return {
    launch: async () => server.launch(),
    kill: async () => void (await server.end('SIGKILL')),
    askToStop: () => void server.end('SIGTERM'),
  };
}

export const pidOf = (server: ServerProcess): number | undefined =>
  server.hasEnded() ? undefined : server.pid();

/** Returns the children of a process whose command line contains a word, or doesn't. */
export function childrenOf(pid: number | undefined, word: string, isWanted: boolean): number[] {
  if (pid === undefined) return [];
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // It has just ended.
      return '';
    }
  };
  const pids = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return pids.filter((child) => {
    const command = read(`/proc/${child}/cmdline`);
    return command !== '' && command.includes(word) === isWanted;
  });
}

export function nodeOf(options: {
  name: string;
  origin: string;
  dataDir: string;
  environment?: Record<string, string>;
}): Node {
  const { name, origin, dataDir, environment } = options;
  return {
    name,
    origin,
    run: (...words) => runHere([...words, '--data-dir', dataDir], environment),
    launch(...words) {
      const command = createServerProcess({ dataDir, environment, words });
      command.launch();
      return command;
    },
  };
}
