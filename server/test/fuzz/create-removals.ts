import type { Target } from './fuzz-cases.ts';
import type { FuzzAnswer } from './fuzz-connection.ts';

export type Removals = ReturnType<typeof createRemovals>;

/** What there can be only so many of, and what can be removed by its id. */
const lists = /\/(?:notes|funnels|segments|goals|tokens|users)$/;
/** Fewer than there can be of anything. */
const mostKept = 20;

/** Notes what forms have added, so that there is always room for more. */
export function createRemovals() {
  const added: Buffer[] = [];
  return {
    note({ method, path, headers }: Target, answer: FuzzAnswer): void {
      if (method !== 'POST' || answer.status !== 201 || !lists.test(path)) return;
      const { id } = JSON.parse(answer.body) as { id: number };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      added.push(Buffer.from(`DELETE ${path}/${id} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'));
    },
    /** Returns the requests that remove what was added first, and forgets them. */
    due: (): Buffer[] => added.splice(0, Math.max(0, added.length - mostKept)),
  };
}
