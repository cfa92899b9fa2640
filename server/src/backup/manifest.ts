import { OperatorError } from '../operator-error.ts';
import type { BackupPlace } from './backup-place.ts';
import { BrokenBackup, hashOf, type Piece } from './piece.ts';

/** Records of one node on one day, in a range of its batches. */
export type RecordsPiece = Piece & {
  node: string;
  fromBatch: number;
  toBatch: number;
  records: number;
  /** Tells whether the store still has the same in these batches. */
  content: string;
};

/** The summary is that of all pieces, as the store would give it. */
export type SavedDay = { day: string; summary: string; pieces: RecordsPiece[] };

/** What the records were read from. Pieces of an earlier backup are used again only if it is the same. */
export type RecordsSource = { storeUuid: string; lastRewrite: string; columns: string[] };

export type SavedJournal = { worker: number; segments: { segment: number; piece: Piece }[] };

/** Everything that makes up a backup. A backup whose manifest isn't there doesn't exist. */
export type Manifest = {
  format: 1;
  madeBy: string;
  installation: string;
  startedAt: number;
  finishedAt: number;
  source: RecordsSource;
  days: SavedDay[];
  journals: SavedJournal[];
  control: Piece;
  /** The highest ID of a website when the backup ended. Control is older, and may lack websites with records. */
  lastWebsite?: number;
  secretKey: Piece | null;
  records: number;
  /** What the backup would take up on its own. */
  bytes: number;
};

/** What an unfinished backup has saved so far. */
export type Draft = Pick<Manifest, 'format' | 'installation' | 'source' | 'days'>;

const folder = 'backups';
const draftPath = 'draft.json';
const format = 1;

/** Such as 2026-11-17T03-45-50Z: a name that sorts by time, and that every file system takes. */
export const nameOf = (startedAt: number): string =>
  `${new Date(startedAt).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** The name of a new backup. It comes after all others, even after one that was made while the clock was ahead. */
export async function chooseName(place: BackupPlace, startedAt: number): Promise<string> {
  const [name, newest = ''] = [nameOf(startedAt), (await listManifests(place)).at(-1)];
  if (newest <= name) return name;
  return nameOf(Date.parse(newest.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) + 1_000);
}

export async function writeManifest(place: BackupPlace, name: string, manifest: Manifest): Promise<void> {
  await place.write(`${folder}/${name}.json`, seal(manifest));
}

/** The names of all backups that are complete, the newest one last. */
export async function listManifests(place: BackupPlace): Promise<string[]> {
  const files = await place.list(folder);
  return files
    .map(({ path }) => /^backups\/(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.json$/.exec(path)?.[1])
    .filter((name) => name !== undefined)
    .sort();
}

export async function readManifest(place: BackupPlace, name: string): Promise<Manifest> {
  const path = `${folder}/${name}.json`;
  const bytes = await place.read(path);
  if (bytes === undefined)
    throw new OperatorError(
      `There is no backup ${name} in ${place.name}. --list names those that are there.`,
    );
  const found = unseal<Manifest>(bytes);
  if (found === undefined) throw new BrokenBackup(path, `in ${place.name} is damaged`);
  if (found.format !== format)
    throw new OperatorError(
      `The backup ${name} in ${place.name} has format ${found.format}, but this Trackside reads ` +
        `format ${format}. Use the version that made it: ${found.madeBy}.`,
    );
  return found;
}

/** The same, but undefined for a manifest that is damaged. */
export async function readIfWhole(place: BackupPlace, name: string): Promise<Manifest | undefined> {
  return await readManifest(place, name).catch((error: unknown) => {
    if (!(error instanceof BrokenBackup)) throw error;
    return undefined;
  });
}

/** Reads backups from the newest one on, until this many are whole. Returns the names of the others, too. */
export async function readNewest(
  place: BackupPlace,
  count: number,
): Promise<{ whole: { name: string; manifest: Manifest }[]; damaged: string[]; older: string[] }> {
  const older = await listManifests(place);
  const whole: { name: string; manifest: Manifest }[] = [];
  const damaged: string[] = [];
  while (older.length > 0 && whole.length < count) {
    const name = older.pop()!;
    const manifest = await readIfWhole(place, name);
    if (manifest === undefined) damaged.push(name);
    else whole.push({ name, manifest });
  }
  return { whole, damaged, older };
}

export async function removeManifest(place: BackupPlace, name: string): Promise<void> {
  await place.remove(`${folder}/${name}.json`);
}

/** A draft that is missing or damaged costs only time. */
export async function readDraft(place: BackupPlace): Promise<Draft | undefined> {
  const bytes = await place.read(draftPath);
  const draft = bytes && unseal<Draft>(bytes);
  return draft?.format === format ? draft : undefined;
}

export async function writeDraft(place: BackupPlace, draft: Draft): Promise<void> {
  await place.write(draftPath, seal(draft));
}

export async function removeDraft(place: BackupPlace): Promise<void> {
  await place.remove(draftPath);
}

/** All files that a backup consists of. */
export function piecesOf({ days, journals, control, secretKey }: Manifest): Piece[] {
  return [
    ...days.flatMap(({ pieces }) => pieces),
    ...journals.flatMap(({ segments }) => segments.map(({ piece }) => piece)),
    control,
    ...(secretKey === null ? [] : [secretKey]),
  ];
}

function seal(value: object): Buffer {
  const text = JSON.stringify(value);
  return Buffer.from(`${text}\n${hashOf(text)}\n`);
}

function unseal<T>(bytes: Buffer): T | undefined {
  const [text = '', hash] = bytes.toString('utf8').split('\n');
  return hashOf(text) === hash ? (JSON.parse(text) as T) : undefined;
}
