import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../files/sync-folder.ts';

/** What a move remembers in the data folder between two runs. */
export type MoveState = {
  /** The stores that hold records of this installation and nothing else. */
  stores: string[];
  /** Days whose records were compared value by value, with the numbers that they had. */
  checked: { fromStore: string; toStore: string; lastRewrite: string; days: Record<string, string> };
  recordsPerSecond: number | undefined;
};

const nothingChecked: MoveState['checked'] = {
  fromStore: '',
  toStore: '',
  lastRewrite: '',
  days: {},
};

/** A file that is missing or can't be read costs only time, or a question to the operator. */
export async function readMoveState(file: string): Promise<MoveState> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const empty: MoveState = { stores: [], checked: nothingChecked, recordsPerSecond: undefined };
  try {
    const found = JSON.parse(text) as Partial<MoveState>;
    return { ...empty, ...found };
  } catch {
    return empty;
  }
}

/** The file appears complete and on disk, or stays as it was. */
export async function writeMoveState(file: string, state: MoveState): Promise<void> {
  const draft = await open(`${file}.part`, 'w', 0o600);
  try {
    await draft.writeFile(`${JSON.stringify(state)}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.part`, file);
  await syncFolder(dirname(file));
}
