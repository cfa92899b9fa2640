import { createInterface } from 'node:readline/promises';
import { CommandError } from '../command.ts';

/** Asks the person at the terminal, and throws unless the answer is yes. */
export async function readYes(options: {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
  /** Whether standard input is read for something else. */
  isTaken: boolean;
  question: string;
}): Promise<void> {
  const { input, output, question } = options;
  if (options.isTaken || input.isTTY !== true)
    throw new CommandError(`${question} To go ahead without confirmation, add --yes.`);
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`${question} Type yes to go ahead: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
  } finally {
    lines.close();
  }
}
