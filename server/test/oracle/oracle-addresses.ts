/**
 * A second implementation of how paths and hosts are shown, over bytes. It shares nothing with the code that
 * the server uses.
 */
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { AddressRules } from '../../src/text/address-rules.ts';
import type { TestRecord } from './records.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

export function asShown(record: TestRecord): TestRecord {
  return record.path.includes('%') ? { ...record, path: decodePath(record.path) } : record;
}

/** Returns a record with its address by the choices of the website. */
export function byRules(record: TestRecord, rules: AddressRules): TestRecord {
  if (!Object.values(rules).includes(true)) return record;
  let { path } = record;
  while (rules.ignoreTrailingSlash && path !== '/' && path.endsWith('/')) path = path.slice(0, -1);
  const labels = record.host.split('.');
  while (rules.ignoreWww && labels.length > 2 && labels[0] === 'www') labels.shift();
  return { ...record, path: rules.ignoreCase ? path.toLowerCase() : path, host: labels.join('.') };
}

/** Returns a filter with the page that it means, however it was written. */
export function filterAsShown(filter: Filter): Filter {
  if (!['page', 'entryPage', 'exitPage'].includes(filter.dimension)) return filter;
  if ('anyOf' in filter) return { ...filter, anyOf: filter.anyOf.map(decodePath) };
  if ('contains' in filter) return { ...filter, contains: decodePath(filter.contains) };
  return 'is' in filter
    ? { ...filter, is: decodePath(filter.is) }
    : { ...filter, isNot: decodePath(filter.isNot) };
}

/** Decodes a path from left to right, one character at a time. */
export function decodePath(path: string): string {
  let shown = '';
  for (let at = 0; at < path.length; ) {
    if (path[at] !== '%') {
      shown += path[at];
      at += 1;
      continue;
    }
    const length = [4, 3, 2, 1].find((bytes) => readCharacter(path, at, bytes) !== undefined);
    if (length !== undefined) {
      const found = readCharacter(path, at, length)!;
      shown += mayShow(found) ? found : path.slice(at, at + 3 * length).toUpperCase();
      at += 3 * length;
    } else if (readBytes(path, at, 1) !== undefined) {
      shown += path.slice(at, at + 3).toUpperCase();
      at += 3;
    } else {
      shown += '%25';
      at += 1;
    }
  }
  return shown;
}

/** Returns the one character that these bytes represent, or undefined if there is none or more than one. */
function readCharacter(path: string, at: number, length: number): string | undefined {
  const bytes = readBytes(path, at, length);
  if (bytes === undefined) return undefined;
  try {
    const text = decoder.decode(bytes);
    return [...text].length === 1 ? text : undefined;
  } catch {
    return undefined;
  }
}

function readBytes(path: string, at: number, length: number): Uint8Array | undefined {
  const escapes = path.slice(at, at + 3 * length);
  if (escapes.length < 3 * length || !/^(?:%[\da-f]{2})+$/i.test(escapes)) return undefined;
  return Uint8Array.from(Buffer.from(escapes.replaceAll('%', ''), 'hex'));
}

function mayShow(character: string): boolean {
  if (character === ' ') return true;
  return !'/?#%\\'.includes(character) && !/\s/.test(character) && !invisible.test(character);
}
