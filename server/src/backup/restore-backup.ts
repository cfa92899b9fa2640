import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSecretKey } from '../control/move/copy-control.ts';
import { peekControl } from '../control/move/peek-control.ts';
import { renewSalts } from '../control/move/renew-salts.ts';
import { restoreErasures } from '../control/move/restore-erasures.ts';
import { dataFolder, ownKeyFile } from '../files/data-folder.ts';
import { isHalfRestored } from '../files/half-restored.ts';
import { writeMark } from '../files/mark-file.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { workerFolder } from '../files/worker-folders.ts';
import { segmentPath } from '../journal/segment-file.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import { countLines } from '../store/move/copy-slice.ts';
import { listDays, listMonths } from '../store/move/list-contents.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { BackupPlace } from './backup-place.ts';
import { readErasureNotes } from './erasure-notes.ts';
import type { Manifest } from './manifest.ts';
import { readPiece } from './piece.ts';
import { summaryOf } from './save-records.ts';

export type RestoreOptions = {
  place: BackupPlace;
  manifest: Manifest;
  dataDir: string;
  secretKeyFile: string;
  /** Whether the folder is a copy that never touches the place again, because the real server uses it. */
  isPractice: boolean;
  /** Runs an engine on the store of the data folder for the work. */
  withStore: (work: (store: Store) => Promise<void>) => Promise<void>;
  clock: Clock;
  log: Log;
  onProgress: (done: { records: number; ofRecords: number }) => void;
};

export type Restored = { erasures: number };

type DataFolder = ReturnType<typeof dataFolder>;

const ifOtherKey =
  'Name the right file with --secret-key-file. A backup from before the key was rotated needs the old key.';

/** Where the control database is until everything else is there. */
const draftOf = ({ restoring }: DataFolder) => join(restoring, 'control');

/**
 * Puts a backup into a new data folder. The control database comes last: without it, a server refuses the
 * folder, and a restore that was interrupted begins again.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { place, manifest, dataDir } = options;
  const folder = dataFolder(dataDir);
  await prepareFolder(options);
  const draft = draftOf(folder);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await writePrivate(join(draft, 'control.db'), await readPiece(place, manifest.control));
  await restoreSecretKey(options);
  await checkSecretKey(options.secretKeyFile, await peekControl({ folder: draft }), ifOtherKey);
  await writeMark(folder.installation, manifest.installation);
  if (manifest.lastWebsite !== undefined) await writeMark(folder.lastWebsite, String(manifest.lastWebsite));
  if (options.isPractice) await writeMark(folder.practice, manifest.installation);
  await options.withStore((store) => restoreRecords(options, store));
  await restoreJournals(options);
  const { secretKeyFile, isPractice, clock, log } = options;
  const known = isPractice ? undefined : { ...manifest, place: place.name };
  const erasures = await restoreErasures(
    { folder: draft, clock, log, place: known },
    await readErasureNotes(place),
  );
  await renewSalts({ folder: draft, secretKeyFile, backedUpAt: manifest.startedAt, clock, log });
  await mkdir(folder.control, { recursive: true, mode: 0o700 });
  await rename(join(draft, 'control.db'), join(folder.control, 'control.db'));
  await syncFolder(folder.control);
  await rm(folder.restoring, { recursive: true, force: true });
  await syncFolder(dataDir);
  return { erasures };
}

/**
 * Makes an empty folder, or removes what a restore that was interrupted has written there. A key file stays: nobody
 * can make it again.
 */
async function prepareFolder({ dataDir, secretKeyFile }: RestoreOptions): Promise<void> {
  const folder = dataFolder(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (isHalfRestored(folder)) await removeHalf(folder);
  else await refuseOthers(folder, secretKeyFile);
  await mkdir(folder.restoring, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
}

async function removeHalf(folder: DataFolder): Promise<void> {
  const { control, journal, workers, store, installation, lastWebsite, practice } = folder;
  const files = [installation, lastWebsite, practice];
  for (const path of [control, journal, workers, store, ...files, draftOf(folder)])
    await rm(path, { recursive: true, force: true });
}

async function refuseOthers({ root, nodeLock }: DataFolder, secretKeyFile: string): Promise<void> {
  const known = new Set([secretKeyFile, ownKeyFile(root), join(root, 'lost+found')]);
  // The command holds the lock, which is a database with files of its own.
  const isKnown = (path: string) => known.has(path) || path.startsWith(nodeLock);
  const others = (await readdir(root)).filter((name) => !isKnown(join(root, name)));
  if (others.length === 0) return;
  throw new OperatorError(
    `${root} is not empty (it has ${others.slice(0, 3).join(', ')}). ` +
      'Restore into a new folder with --data-dir, or move this one away.',
  );
}

async function restoreSecretKey({ place, manifest, secretKeyFile }: RestoreOptions): Promise<void> {
  if (existsSync(secretKeyFile)) return;
  if (manifest.secretKey === null)
    throw new OperatorError(
      `The secret key is not in the backup. Put your copy of secret.key at ${secretKeyFile}, ` +
        'or name it with --secret-key-file, then run the command again.',
    );
  await writePrivate(secretKeyFile, await readPiece(place, manifest.secretKey));
}

async function restoreRecords(options: RestoreOptions, store: Store): Promise<void> {
  const { place, manifest, onProgress } = options;
  const { columns } = manifest.source;
  let records = 0;
  for (const { pieces } of manifest.days) {
    for (const piece of pieces) {
      const body = await readPiece(place, piece);
      const rows = countLines(body);
      await store.insertBatch({ columns, body, rows, queryId: `restore-${piece.sha256.slice(0, 16)}` });
      records += rows;
      onProgress({ records, ofRecords: manifest.records });
    }
  }
  await compareDays(manifest, store);
}

/** Every day must have what it had when it was saved. */
async function compareDays({ days }: Manifest, store: Store): Promise<void> {
  const from = store.forMove();
  const found = new Map<string, string>();
  for (const month of (await listMonths(from)).keys()) {
    const byDay = Map.groupBy(await listDays(from, month), ({ day }) => day);
    for (const [day, websites] of byDay) found.set(day, summaryOf(websites));
  }
  const different = days.filter(({ day, summary }) => found.get(day) !== summary).map(({ day }) => day);
  if (different.length === 0 && found.size === days.length) return;
  throw new Error(
    `expected the store to have what the backup has, but it differs on ${different.join(', ')}`,
  );
}

async function restoreJournals({ place, manifest, dataDir }: RestoreOptions): Promise<void> {
  for (const { worker, segments } of manifest.journals) {
    const { journal } = workerFolder(dataDir, worker);
    await mkdir(journal, { recursive: true, mode: 0o700 });
    for (const { segment, piece } of segments)
      await writePrivate(segmentPath(journal, segment), await readPiece(place, piece));
    await syncFolder(journal);
  }
}

async function writePrivate(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flush: true });
}
