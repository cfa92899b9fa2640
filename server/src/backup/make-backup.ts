import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, toDay } from '@trackside/contract/calendar/day.ts';
import { type ControlSnapshot, snapshotControl } from '../control/move/snapshot-control.ts';
import type { Control } from '../control/open-control.ts';
import { dataFolder } from '../files/data-folder.ts';
import { version } from '../files/version.ts';
import type { Log } from '../log.ts';
import { recordColumns } from '../records/record-columns.ts';
import { readLastRewrite } from '../store/move/check-content.ts';
import { measureRecords } from '../store/move/list-contents.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { BackupPlace } from './backup-place.ts';
import { type Cleaned, cleanPlace } from './clean-place.ts';
import { noteErasure } from './erasure-notes.ts';
import { findKnownDays } from './find-known-days.ts';
import { findLosses } from './find-losses.ts';
import { keepDraft } from './keep-draft.ts';
import { chooseName, type Manifest, piecesOf, removeDraft, writeManifest } from './manifest.ts';
import { assertThere, type Piece, removeUnfinished, writePiece } from './piece.ts';
import { assertOwnPlace } from './place-mark.ts';
import { saveJournals } from './save-journals.ts';
import { saveRecords } from './save-records.ts';

export type BackupOptions = {
  place: BackupPlace;
  dataDir: string;
  secretKeyFile: string;
  /** A folder that no other process uses meanwhile. */
  workFolder: string;
  control: Pick<Control, 'erasures' | 'backupPlaces' | 'installation' | 'websites'>;
  store: Store;
  /** How many backups the place keeps, unless something is lost that an older one may have. */
  keep: number;
  hasSecretKey: boolean;
  clock: Clock;
  log: Log;
  onProgress: (done: { records: number; ofRecords: number }) => void;
};

export type MadeBackup = {
  name: string;
  manifest: Manifest;
  /** What wasn't in the place before. */
  newRecords: number;
  newBytes: number;
  removed: Omit<Cleaned, 'damaged'>;
  /** Backups that can't be read. */
  damaged: string[];
  /** Because of these, no older backup was removed. */
  losses: string[];
};

const openDays = 2;

/**
 * Makes a backup of everything that was acknowledged before it began. Control is copied first, then the ends
 * of the journals, then the store without the batches that these hold or that were begun later. So each record
 * is in the journal's part or in the store's, and contingents count each of them once, as after a crash.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { place, control, store, clock } = options;
  const startedAt = clock.now();
  await assertOwnPlace(place, await control.installation());
  await removeUnfinished(place);
  const name = await chooseName(place, startedAt);
  // From here on, an erasure is noted in the place, wherever the backup is by then.
  await control.backupPlaces.begin(place.name, startedAt);
  for (const erasure of await control.erasures.list()) await noteErasure(place, erasure);
  const { snapshot, piece } = await saveControl(options);
  const countedTo = (node: string) => snapshot.positions.get(node);
  const { journals, isInStore } = await saveJournals({ ...options, countedTo });
  const secretKey = options.hasSecretKey ? await saveSecretKey(options) : null;

  const from = store.forMove();
  const source = {
    storeUuid: await store.uuid(),
    lastRewrite: await readLastRewrite(from),
    columns: ['node', 'batch', ...recordColumns],
  };
  const known = await findKnownDays(place, source);
  const draft = keepDraft(place, { format: 1, installation: snapshot.installation, source, days: [] });
  const { records: ofRecords } = await measureRecords(from);
  let [records, newRecords] = [0, 0];
  const days = await saveRecords({
    store: from,
    place,
    columns: source.columns,
    known,
    openFrom: toDay(startedAt - openDays * dayMs),
    isIncluded: isInStore,
    async onDay(day, savedRecords) {
      records += day.pieces.reduce((sum, each) => sum + each.records, 0);
      newRecords += savedRecords;
      options.onProgress({ records, ofRecords });
      await draft.add(day);
    },
  });

  const parts = { days, journals, control: piece, secretKey };
  const manifest: Manifest = {
    format: 1,
    madeBy: version,
    installation: snapshot.installation,
    startedAt,
    finishedAt: clock.now(),
    source,
    ...parts,
    lastWebsite: await control.websites.lastId(),
    records,
    bytes: 0,
  };
  manifest.bytes = sumOf(piecesOf(manifest));
  const reused = new Set([...known.values()].flatMap(({ pieces }) => pieces.map(({ path }) => path)));
  await assertThere(place, piecesOf(manifest));
  await writeManifest(place, name, manifest);
  await control.backupPlaces.finish(place.name, {
    finishedAt: manifest.finishedAt,
    records,
    bytes: manifest.bytes,
  });
  await removeDraft(place);
  const losses = await findLosses(options);
  const keep = losses.length > 0 ? Number.POSITIVE_INFINITY : options.keep;
  const { damaged, ...removed } = await cleanPlace(place, { keep });
  const newBytes = sumOf(piecesOf(manifest).filter(({ path }) => !reused.has(path)));
  return { name, manifest, newRecords, newBytes, removed, damaged, losses };
}

const sumOf = (pieces: readonly Piece[]) => pieces.reduce((sum, { bytes }) => sum + bytes, 0);

async function saveControl(options: BackupOptions): Promise<{ snapshot: ControlSnapshot; piece: Piece }> {
  const { place, clock, log } = options;
  const folder = join(options.workFolder, 'control');
  // A backup that was killed leaves its copy behind.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    const from = { folder: dataFolder(options.dataDir).control };
    const snapshot = await snapshotControl({ from, to: { folder }, clock, log });
    const content = await readFile(join(folder, 'control.db'));
    return { snapshot, piece: await writePiece(place, { folder: 'control', ending: 'db' }, content) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function saveSecretKey({ place, secretKeyFile }: BackupOptions): Promise<Piece> {
  return await writePiece(place, { folder: 'control', ending: 'key' }, await readFile(secretKeyFile));
}
