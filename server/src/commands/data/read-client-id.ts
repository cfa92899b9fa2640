import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import { CommandError } from '../command.ts';

const maxLength = trackingLengths.clientId;

/**
 * Returns the ClientId from the command line, or from standard input for `-`, because shells keep a history
 * of what is typed.
 */
export async function readClientId(word: string, input: AsyncIterable<Buffer | string>): Promise<string> {
  const clientId = word === '-' ? await readAll(input) : word;
  // The message does not repeat the ClientId: it may identify the person, and the message may end up in a
  // log.
  if (clientId !== '' && clientId.length <= maxLength) return clientId;
  throw new CommandError(
    `CLIENT_ID: expected the ClientId as your backend sends it, in 1 to ${maxLength} characters, ` +
      `got ${clientId.length}. ` +
      'Use - to read it from standard input.',
  );
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
