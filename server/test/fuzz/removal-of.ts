import type { Target } from './fuzz-cases.ts';
import type { FuzzAnswer } from './fuzz-connection.ts';

/** What there can be only so many of, and what can be removed by its id. */
const lists = /\/(?:notes|funnels|segments|goals|tokens|users)$/;

/** Returns the request that removes what a form has added, or undefined if it has added nothing. */
export function removalOf({ method, path, headers }: Target, answer: FuzzAnswer): Buffer | undefined {
  if (method !== 'POST' || answer.status !== 201 || !lists.test(path)) return undefined;
  const { id } = JSON.parse(answer.body) as { id: number };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`DELETE ${path}/${id} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}
