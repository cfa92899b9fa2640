import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace, PlacedFile } from './backup-place.ts';

/** A compressed file of a backup. The hash is that of the file. */
export type Piece = { path: string; sha256: string; bytes: number };

const folders = ['records', 'journal', 'control'];
/** The names that `writePiece` gives. Nothing else in a place may be removed. */
const piecePath =
  /^(?:records\/\d{4}-\d\d-\d\d|journal|control)\/[\da-f]{32}\.(?:jsonl|segment|db|key)\.zst$/;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Writes a file whose name comes from its content, so that the same content is there only once. */
export async function writePiece(
  place: BackupPlace,
  { folder, ending }: { folder: string; ending: string },
  content: Uint8Array,
): Promise<Piece> {
  const bytes = await compress(content);
  const sha256 = hashOf(bytes);
  const path = `${folder}/${sha256.slice(0, 32)}.${ending}.zst`;
  await place.write(path, bytes);
  return { path, sha256, bytes: bytes.length };
}

/** All files of backups in a place, whether or not a backup needs them. */
export async function listPieces(place: BackupPlace): Promise<PlacedFile[]> {
  const found: PlacedFile[] = [];
  for (const folder of folders)
    found.push(...(await place.list(folder)).filter(({ path }) => piecePath.test(path)));
  return found;
}

/** Removes what backups that were killed have left. No other backup may be under way. */
export async function removeUnfinished(place: BackupPlace): Promise<void> {
  for (const folder of folders)
    for (const { path, of } of await place.listUnfinished(folder))
      if (piecePath.test(of)) await place.remove(path);
}

/** Refuses to go on if a file is gone, such as one that another server has removed. */
export async function assertThere(place: BackupPlace, pieces: readonly Piece[]): Promise<void> {
  const there = new Map((await listPieces(place)).map(({ path, bytes }) => [path, bytes]));
  const gone = pieces.find(({ path, bytes }) => there.get(path) !== bytes);
  if (gone === undefined) return;
  throw new OperatorError(
    `${gone.path} was removed from ${place.name} while the backup was being made. Make sure that nothing else ` +
      'backs up to that place, such as a restored copy of this server, then run the command again.',
  );
}

/** Reads a file back. Anything but the bytes that were written is refused. */
export async function readPiece(place: BackupPlace, { path, sha256 }: Piece): Promise<Buffer> {
  const bytes = await place.read(path);
  if (bytes === undefined) throw new BrokenBackup(path, `is missing from ${place.name}`);
  if (hashOf(bytes) !== sha256) throw new BrokenBackup(path, `in ${place.name} is damaged`);
  return await decompress(bytes);
}

/** A file of a backup is missing or damaged. */
export class BrokenBackup extends OperatorError {
  override name = 'BrokenBackup';

  /** What is wrong, without what to do about it. */
  readonly says: string;

  readonly path: string;

  constructor(path: string, what: string) {
    super(`${path} ${what}. Use another backup: trackside backup PLACE --list names them.`);
    this.path = path;
    this.says = `${path} ${what}.`;
  }
}

export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
