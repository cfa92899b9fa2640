/**
 * Loaded into a server that is being fuzzed. Notes how long the event loop kept the processor at most in one
 * turn, four times a second. It counts the processor's time and not the clock's, so that a busy machine doesn't
 * look like a pause.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.FUZZ_PAUSES_FILE;
const everyMs = 5;
const turnsPerLine = 50;

if (file !== undefined && isMainThread) {
  let last = process.threadCpuUsage();
  let longestMs = 0;
  let turns = 0;
  setInterval(() => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1000);
    last = now;
    turns += 1;
    if (turns < turnsPerLine) return;
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), longestMs })}\n`);
    longestMs = 0;
    turns = 0;
    // Writing the line is no fault of the server.
    last = process.threadCpuUsage();
  }, everyMs).unref();
}
