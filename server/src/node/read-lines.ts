import type { Readable } from 'node:stream';

const longestLine = 1_000;
const linesPerMinute = 60;

/** Passes a child's output on line by line, and limits it to what a log can take. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  let allowed = linesPerMinute;
  const refill = setInterval(() => {
    allowed = linesPerMinute;
  }, 60_000);
  refill.unref();
  const pass = (line: string) => {
    if (line.trim() === '' || allowed === 0) return;
    allowed -= 1;
    onLine(
      allowed === 0 ? `${line.slice(0, longestLine)} (the rest is omitted)` : line.slice(0, longestLine),
    );
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) pass(line);
  });
  stream.once('close', () => {
    clearInterval(refill);
    pass(rest);
  });
}
