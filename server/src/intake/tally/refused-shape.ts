import type { BodyFault } from '@trackside/contract/tracking/find-faults.ts';
import type { RefusedShape } from '../../control/tally/tally-rows.ts';
import type { Refusal } from '../refusal.ts';

/** The words for what came that contain nothing of it. Everything else is replaced by one of these. */
const plainWords = [
  'nothing',
  'null',
  'an empty string',
  'a number',
  'a larger number',
  'a boolean',
  'an object',
];
const wordsFor: readonly [start: string, words: string][] = [
  ['a string of ', 'a string'],
  ['an array of ', 'an array'],
  ['"', 'another code'],
  ['one from ', 'an earlier time'],
  ['one that is ', 'a later time'],
];
const maxExpectedLength = 200;

/** Says for which reason a record was refused, without values, lengths or anything else of the record. */
export function shapeOfRefusal(refusal: Refusal, code: number): RefusedShape {
  if ('about' in refusal) return { code, ...shapeOfFault(refusal.about) };
  const { field, expected, got } = refusal.shape ?? { field: '', expected: '', got: '' };
  return { code, field, expected, got };
}

function shapeOfFault({ path, fault }: BodyFault): Omit<RefusedShape, 'code'> {
  const { got } = fault;
  return {
    field: path.replaceAll(/\[\d+\]/g, '[]'),
    expected: fault.expected.slice(0, maxExpectedLength),
    got: plainWords.includes(got)
      ? got
      : (wordsFor.find(([start]) => got.startsWith(start))?.[1] ?? 'something else'),
  };
}
