import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from '../command.ts';

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

const maxBytes = 10_000;

/**
 * Reads a password from the terminal or from standard input. It is never part of the command line, which
 * other users of the machine can read and which shells keep in their history. The prompts go to `output`;
 * what is typed does not.
 */
export async function readPassword(options: {
  input: Input;
  output: NodeJS.WritableStream;
  isFromStdin: boolean;
}): Promise<string> {
  const { input, output, isFromStdin } = options;
  if (isFromStdin) return await readLine(input);
  if (input.isTTY === true) return await ask(input, output);
  throw new CommandError(
    'Password: expected a terminal to ask for it. In a script, send it to stdin with --password-stdin.',
  );
}

async function ask(input: Input, output: NodeJS.WritableStream): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // One interface for both prompts, because it keeps what is typed ahead of the second one.
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 0 });
  const answers = lines[Symbol.asyncIterator]();
  const next = async (prompt: string): Promise<string> => {
    output.write(prompt);
    const { value, done } = await answers.next();
    output.write('\n');
    if (done === true) throw new CommandError('Password: expected one, got none. Nothing was changed.');
    return value;
  };
  try {
    const password = await next('Password: ');
    if ((await next('Password again: ')) === password) return password;
    throw new CommandError('The passwords do not match. Nothing was changed.');
  } finally {
    lines.close();
  }
}

async function readLine(input: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  const text = Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
  if (bytes <= maxBytes && text !== '' && !/[\r\n]/.test(text)) return text;
  throw new CommandError('--password-stdin: expected the password on stdin, as one line.');
}
