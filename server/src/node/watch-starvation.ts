import { readdirSync, readFileSync } from 'node:fs';

const lookEveryMs = 1000;
/** Threads that are ready to run for more than this share of the time have work to do. */
const waitingShare = 0.5;
/** Those that have work to do, and run for less than this share of it, are starved. */
const runningShare = 0.1;

/** For how long threads have run, and have been ready to run and waited for a processor. */
export type ThreadTimes = { ranMs: number; waitedMs: number };

/**
 * Calls `onStarved` once, when other programs have left a process too little of the processor for so long.
 * Returns a function that stops watching. Only Linux says how long threads wait.
 */
export function watchStarvation(pid: number, withinMs: number, onStarved: () => void): () => void {
  const readThreads = createReadThreads(`/proc/${pid}/task`);
  const isStarved = createStarvation(withinMs);
  const timer = setInterval(() => {
    if (!isStarved(performance.now(), readThreads())) return;
    clearInterval(timer);
    onStarved();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns a function that is told at each look what happened since the last one, and returns whether the process
 * is starved.
 */
export function createStarvation(withinMs: number): (nowMs: number, since: ThreadTimes) => boolean {
  let looks: (ThreadTimes & { sinceMs: number })[] = [];
  let lastMs: number | undefined;
  return (nowMs, since) => {
    if (lastMs !== undefined) looks.push({ ...since, sinceMs: lastMs });
    lastMs = nowMs;
    // The oldest one that is kept is the only one that may begin before.
    const first = looks.findLastIndex(({ sinceMs }) => sinceMs <= nowMs - withinMs);
    if (first === -1) return false;
    looks = looks.slice(first);
    const spanMs = nowMs - looks[0]!.sinceMs;
    const ranMs = looks.reduce((sum, look) => sum + look.ranMs, 0);
    const waitedMs = looks.reduce((sum, look) => sum + look.waitedMs, 0);
    return waitedMs > spanMs * waitingShare && ranMs < waitedMs * runningShare;
  };
}

/** Returns a function that says for how long the threads in a folder have run and waited since it was last called. */
function createReadThreads(folder: string): () => ThreadTimes {
  let before = new Map<string, ThreadTimes>();
  return () => {
    const now = readTimes(folder);
    const since = { ranMs: 0, waitedMs: 0 };
    for (const [thread, { ranMs, waitedMs }] of now) {
      since.ranMs += ranMs - (before.get(thread)?.ranMs ?? 0);
      since.waitedMs += waitedMs - (before.get(thread)?.waitedMs ?? 0);
    }
    before = now;
    return since;
  };
}

function readTimes(folder: string): Map<string, ThreadTimes> {
  const times = new Map<string, ThreadTimes>();
  for (const thread of listThreads(folder)) {
    try {
      const text = readFileSync(`${folder}/${thread}/schedstat`, 'utf8');
      const [ranNs, waitedNs] = text.split(' ').map(Number);
      times.set(thread, { ranMs: ranNs! / 1e6, waitedMs: waitedNs! / 1e6 });
    } catch {
      // It has ended meanwhile, or the system doesn't say.
    }
  }
  return times;
}

function listThreads(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
