/**
 * Loaded into a server that is being fuzzed. Notes each turn of the event loop that keeps the processor for
 * long. It counts the processor's time and not the clock's, so that a busy machine doesn't look like a pause.
 */
import { appendFileSync } from 'node:fs';

const file = process.env.FUZZ_PAUSES_FILE;
const everyMs = 5;
const notedMs = 20;

if (file !== undefined) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const now = process.threadCpuUsage();
    const tookMs = (now.user + now.system - last.user - last.system) / 1000;
    last = now;
    if (tookMs >= notedMs) appendFileSync(file, `${JSON.stringify({ at: Date.now(), tookMs })}\n`);
  }, everyMs).unref();
}
