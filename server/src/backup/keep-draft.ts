import type { BackupPlace } from './backup-place.ts';
import { type Draft, type SavedDay, writeDraft } from './manifest.ts';

const writeEveryMs = 10_000;

/** Notes which days are saved, so that a backup that is interrupted goes on from there the next time. */
export function keepDraft(place: BackupPlace, draft: Draft): { add(day: SavedDay): Promise<void> } {
  let writtenMs = performance.now();
  return {
    async add(day) {
      draft.days.push(day);
      if (performance.now() - writtenMs < writeEveryMs) return;
      await writeDraft(place, draft);
      writtenMs = performance.now();
    },
  };
}
