import { namedDimensions } from '@trackside/contract/stats/dimensions.ts';
import { maxFilterBytes, maxFilters, maxValues } from '@trackside/contract/stats/limits.ts';
import { operators } from '@trackside/contract/stats/operators.ts';
import {
  dimensionSchema,
  type Filter,
  filterSchema,
  type Key,
  keySchema,
} from '@trackside/contract/stats/questions.ts';
import { QuestionError } from './question-error.ts';
import { createReader, readList, readObject, readText } from './read-value.ts';

const readDimension = createReader(dimensionSchema);

export function readFilters(asked: unknown): Filter[] {
  const filters = readList('filters', asked ?? [], maxFilters, readFilter);
  const bytes = filters.reduce((sum, filter) => sum + bytesOf(textsOf(filter)), 0);
  if (bytes > maxFilterBytes)
    throw new QuestionError(
      `filters: expected at most ${maxFilterBytes} bytes of text in all of them together, got ${bytes}`,
    );
  return filters;
}

function textsOf(filter: Filter): readonly string[] {
  const { of = '' } = filter;
  if ('anyOf' in filter) return [of, ...filter.anyOf];
  if ('contains' in filter) return [of, filter.contains];
  return [of, 'is' in filter ? filter.is : filter.isNot];
}

const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function readFilter(path: string, value: unknown): Filter {
  const asked = readObject(path, value, filterSchema);
  const key = readKeyOf(path, asked);
  const given = operators.filter((operator) => asked[operator] !== undefined);
  const [operator] = given;
  if (operator === undefined || given.length > 1)
    throw new QuestionError(
      `${path}: expected one of ${operators.join(', ')}, got ${given.length === 0 ? 'none' : given.join(' and ')}`,
    );
  const operand = asked[operator];
  switch (operator) {
    case 'is':
      return { ...key, is: readText(`${path}.is`, operand) };
    case 'isNot':
      return { ...key, isNot: readText(`${path}.isNot`, operand) };
    case 'contains':
      return { ...key, contains: readText(`${path}.contains`, operand) };
    case 'anyOf':
      return { ...key, anyOf: readList(`${path}.anyOf`, operand, maxValues, readText) };
  }
}

/** Reads a dimension by its name alone, or with the name of the parameter whose values are meant. */
export function readKey(path: string, value: unknown): Key {
  if (typeof value === 'string') return { dimension: readDimension(path, value) };
  return readKeyOf(path, readObject(path, value, keySchema));
}

function readKeyOf(path: string, asked: Record<string, unknown>): Key {
  const dimension = readDimension(`${path}.dimension`, asked.dimension);
  if (asked.of === undefined) return { dimension };
  if (!namedDimensions.includes(dimension))
    throw new QuestionError(
      `${path}.of: expected only with ${namedDimensions.join(' or ')}, got it with ${dimension}`,
    );
  return { dimension, of: readText(`${path}.of`, asked.of) };
}
