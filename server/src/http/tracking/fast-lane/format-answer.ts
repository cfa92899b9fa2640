import { STATUS_CODES } from 'node:http';
import { successHeaders, successText } from '../../server/answer.ts';

const successStart = `HTTP/1.1 200 OK\r\n${formatHeaders(successHeaders)}`;

/** The answer to an accepted record. Headers are names and values in turn. */
export function formatSuccess(headers: readonly string[], ending: string): string {
  return `${successStart}${formatHeaders(headers)}${ending}${successText}`;
}

export function formatAnswer(code: number, headers: readonly string[], text: string, ending: string): string {
  return `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${formatHeaders(headers)}${ending}${text}`;
}

function formatHeaders(headers: readonly string[]): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** The headers that Node puts at the end of every answer; they change once a second. */
export function createEnding({ keepAliveMs }: { keepAliveMs: number }): (isLast: boolean) => string {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`;
  let date = '';
  let second = 0;
  let usual = '';
  return (isLast) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
      usual = `${date}${connection}`;
    }
    return isLast ? `${date}Connection: close\r\n\r\n` : usual;
  };
}
