import type { WriteStream } from 'node:tty';
import type { Seen } from './looker.ts';
import type { Sample } from './take-sample.ts';

const lineEveryMs = 30_000;

/** Shows the latest sample: on a terminal in one line that changes, otherwise in a line now and then. */
export function createProgress({ totalMs, stream }: { totalMs: number; stream: WriteStream }) {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let answers = 0;
  let lastMs = 0;
  return {
    show(sample: Sample, { screens }: Seen): void {
      const perSecond = (sample.records.answers * 1000) / (sample.atMs - lastMs);
      lastMs = sample.atMs;
      answers += sample.records.answers;
      const parts = [
        `${clock(sample.atMs)} of ${clock(totalMs)}`,
        `${Math.round(perSecond)}/s`,
        `p99 ${sample.records.p99Ms.toFixed(1)} ms`,
        `screen ${screens.at(-1)?.tookMs.toFixed(0) ?? '–'} ms`,
        `server ${sample.node.memoryMb.toFixed(0)} MB, ${sample.node.files} files`,
        `engine ${sample.engine.memoryMb.toFixed(0)} MB, ${sample.engine.files} files`,
        `${sample.journalSegments} segments`,
        `${sample.parts} parts`,
        `${(answers / 1e6).toFixed(2)} million records`,
      ];
      const line = parts.join('; ');
      if (stream.isTTY) stream.write(`\r\u001b[K${line.slice(0, stream.columns - 1)}`);
      else if (sample.atMs - shownAtMs >= lineEveryMs) {
        shownAtMs = sample.atMs;
        stream.write(`${line}\n`);
      }
    },
    end(): void {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}

const clock = (ms: number) =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
