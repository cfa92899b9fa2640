/**
 * Loaded before a server and in its threads (`--import`), so that its clock can be set while it runs: the file
 * that is named after `?` has the milliseconds by which it is wrong, and the one beside it those that it has noticed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const lookEveryMs = 5;

const file = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const realNow = Date.now;
let wrongByMs = readWrongBy() ?? 0;

Date.now = () => realNow() + wrongByMs;
tellNoticed();
setInterval(() => {
  const before = wrongByMs;
  wrongByMs = readWrongBy() ?? wrongByMs;
  if (wrongByMs !== before) tellNoticed();
}, lookEveryMs).unref();

function tellNoticed(): void {
  if (isMainThread) writeFileSync(`${file}.noticed`, `${wrongByMs}\n`);
}

function readWrongBy(): number | undefined {
  const text = readFileSync(file, 'utf8');
  // It may be half written.
  return text.endsWith('\n') ? Number(text) : undefined;
}
