import { createHash } from 'node:crypto';
import { type RecordPath, recordPaths, type TrackRecord } from '../record/record.ts';
import type { KeptRecord } from './disk-keep.ts';

/** A file of the disk queue is a list of these notes, one per line, each after a checksum. */
export type DiskNote =
  | readonly [
      'record',
      key: string,
      trackedAt: number,
      path: RecordPath,
      body: string,
      sequence?: string | null,
    ]
  | readonly ['try', key: string, at: number, occurredAt?: number | null]
  | readonly ['untried', key: string]
  | readonly ['done', key: string];

export function recordNote({ key, path, body, sequence }: TrackRecord, trackedAt: number): DiskNote {
  return ['record', key, trackedAt, path, body, sequence ?? null];
}

export function tryNote(key: string, at: number, occurredAt: number | undefined): DiskNote {
  return ['try', key, at, occurredAt ?? null];
}

/** Returns the notes that say what is known about a record. */
export function toNotes(kept: KeptRecord): DiskNote[] {
  const { key, trackedAt, tried } = kept;
  const record = recordNote(kept, trackedAt);
  return tried === undefined ? [record] : [record, tryNote(key, tried.at, tried.occurredAt)];
}

export function writeLine(note: DiskNote): string {
  const text = JSON.stringify(note);
  return `${checksum(text)} ${text}\n`;
}

export type Replay = {
  records: KeptRecord[];
  /** The number of lines that are not as they were written. */
  damaged: number;
  /** The length of the complete lines. Anything after them is the beginning of a line. */
  wholeBytes: number;
};

/** Reads what a process has left: the records that it was not done with. */
export function readLines(bytes: Buffer): Replay {
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  const records = new Map<string, KeptRecord>();
  let damaged = 0;
  for (const line of bytes.toString('utf8', 0, wholeBytes).split('\n')) {
    if (line === '') continue;
    const note = readLine(line);
    if (note === undefined) damaged += 1;
    else applyNote(note, records);
  }
  return { records: [...records.values()], damaged, wholeBytes };
}

/** Changes what is known about the records that are not done. */
export function applyNote(note: DiskNote, records: Map<string, KeptRecord>): void {
  const [kind, key] = note;
  const known = records.get(key);
  if (kind === 'record') {
    const [, , trackedAt, path, body, sequence] = note;
    const kept = { key, path, body, sequence: sequence ?? undefined, trackedAt, tried: undefined };
    records.set(key, known ?? kept);
  } else if (known === undefined) return;
  else if (kind === 'try') {
    const [, , at, occurredAt] = note;
    known.tried ??= { at, occurredAt: occurredAt ?? undefined };
  } else if (kind === 'untried') known.tried = undefined;
  else records.delete(key);
}

const checksumLength = 8;

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, checksumLength);
}

function readLine(line: string): DiskNote | undefined {
  const text = line.slice(checksumLength + 1);
  if (line.slice(0, checksumLength + 1) !== `${checksum(text)} `) return undefined;
  const note: unknown = JSON.parse(text);
  return isNote(note) ? note : undefined;
}

/** Checks the shape, because a later version may have left other notes. An earlier one left shorter ones. */
function isNote(note: unknown): note is DiskNote {
  if (!Array.isArray(note) || typeof note[1] !== 'string') return false;
  const [kind, , at, ...rest] = note;
  if (kind === 'untried' || kind === 'done') return true;
  if (typeof at !== 'number') return false;
  if (kind === 'record') {
    const [path, body, sequence] = rest;
    return recordPaths.includes(path) && typeof body === 'string' && isOptional('string', sequence);
  }
  return kind === 'try' && isOptional('number', rest[0]);
}

const isOptional = (type: string, value: unknown) => value == null || typeof value === type;
