import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serverCommand } from '../files/store-holder.ts';

export type EngineOptions = {
  folder: string;
  socketPath: string;
  maxMemoryBytes: number;
  sessions: number;
  /** The engine ends when this process ends. */
  parentPid: number;
  /** The command that holds the store, as a person would type it. */
  command: string;
};

export function parseEngineOptions(argv: string[]): EngineOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      folder: { type: 'string' },
      socket: { type: 'string' },
      'max-memory-bytes': { type: 'string' },
      sessions: { type: 'string', default: '3' },
      parent: { type: 'string', default: String(process.ppid) },
      command: { type: 'string', default: serverCommand },
    },
  });
  if (values.folder === undefined) throw new Error('--folder: expected the folder of the store, got nothing');
  if (values.socket === undefined)
    throw new Error('--socket: expected the path of a unix socket, got nothing');
  return {
    // These paths are absolute, because the engine changes its working folder later.
    folder: resolve(values.folder),
    socketPath: resolve(values.socket),
    maxMemoryBytes: wholeNumber('--max-memory-bytes', values['max-memory-bytes'], 64 * 2 ** 20, 2 ** 50),
    sessions: wholeNumber('--sessions', values.sessions, 1, 64),
    parentPid: wholeNumber('--parent', values.parent, 0, 2 ** 31),
    command: values.command,
  };
}

function wholeNumber(flag: string, text: string | undefined, atLeast: number, atMost: number): number {
  const value = Number(text);
  if (text === undefined || !Number.isSafeInteger(value) || value < atLeast || value > atMost) {
    throw new Error(
      `${flag}: expected a whole number from ${atLeast} to ${atMost}, got ${text ?? 'nothing'}`,
    );
  }
  return value;
}
