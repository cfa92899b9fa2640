import { isAscii, isUtf8 } from 'node:buffer';
import { malformed, type Refusal } from '../refusal.ts';

export type Parsed = { json: unknown };

const byteOrderMark = '\uFEFF';
const placeOfFault = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** Reads the body's bytes as JSON. What V8 says of bad JSON is not passed on: it quotes the body. */
export function parse(body: Buffer): Parsed | Refusal {
  if (body.length === 0) return malformed('Body: expected a JSON object, got nothing');
  // Bytes of ASCII are the same text in latin1, which is read without decoding.
  const isPlain = isAscii(body);
  if (!isPlain && !isUtf8(body)) {
    return malformed('Body: expected JSON in UTF-8, got bytes that are not UTF-8');
  }
  let text = body.toString(isPlain ? 'latin1' : 'utf8');
  if (text.startsWith(byteOrderMark)) text = text.slice(1);
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    // At the end of V8's sentence only: in its middle stands a piece of the body.
    const position = placeOfFault.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` (near character ${Number(position) + 1})`;
    return malformed(`Body: expected a JSON object, got text that is not valid JSON${where}`);
  }
}
