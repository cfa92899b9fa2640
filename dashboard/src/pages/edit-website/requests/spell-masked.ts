import { readMasked } from '@trackside/contract/app/masked-texts.ts';
import type { Format } from '#format/create-format.ts';
import type { AccessWords } from '../access-words.ts';

type Words = Pick<AccessWords['requests'], 'masked' | 'types'>;

/** Says in the language of the page what stands in place of a value. A text of a newer server stays as it is. */
export function spellMasked(text: string, { masked, types }: Words, format: Pick<Format, 'count'>): string {
  const [, dots = '', rest = ''] = /^(… )?(.*)$/s.exec(text)!;
  const read = readMasked(rest);
  if (read !== undefined) return dots + format.count(read.count, masked[read.kind]);
  return Object.hasOwn(types, text) ? types[text]! : text;
}
