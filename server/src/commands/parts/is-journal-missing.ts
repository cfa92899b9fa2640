import { dataFolder } from '../../files/data-folder.ts';
import { listSegments } from '../../journal/segment-file.ts';
import type { CommandInput } from '../command.ts';
import { hasData, withControl } from './with-control.ts';

/**
 * Returns whether the journal is gone. A server always leaves a segment behind when it ends. If there is
 * none, only the control database knows that records were accepted.
 */
export async function isJournalMissing(input: Pick<CommandInput, 'config' | 'clock'>): Promise<boolean> {
  const { journal } = dataFolder(input.config.dataDir);
  const segments = await listSegments(journal).catch((error: NodeJS.ErrnoException): number[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (segments.length > 0 || !hasData(input.config)) return false;
  const { elsewhere } = await withControl(input, (control) => control.usage.read(''));
  return elsewhere.length > 0;
}

export function describeMissingJournal(journal: string): { says: string; todo: string } {
  return {
    says: `the journal ${journal} is missing, although records were accepted before`,
    todo: 'put its folder back, then start the server; without it, the server would start a new journal',
  };
}
