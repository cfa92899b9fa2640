import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { useEffect, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { ExcludedRecords } from '#api/shapes.ts';

export type Preview = { state: 'none' | 'busy' } | { state: 'ready'; excluded: ExcludedRecords };

/**
 * Counts what rules would have excluded, while there are changes to save. Without an answer there is no
 * preview, and the rules can be saved anyway.
 */
export function usePreview(websiteId: number, rules: readonly Exclusion[], isWanted: boolean): Preview {
  const api = useApi();
  const key = isWanted && rules.length > 0 ? JSON.stringify(rules) : '';
  const [found, setFound] = useState<{ key: string; excluded: ExcludedRecords | undefined }>();
  useEffect(() => {
    if (key === '') return;
    const aborter = new AbortController();
    api.previewExclusions(websiteId, JSON.parse(key), aborter.signal).then(
      (answer) => {
        if (!aborter.signal.aborted) setFound({ key, excluded: answer.isOk ? answer.value : undefined });
      },
      (error) => {
        if (!aborter.signal.aborted) throw error;
      },
    );
    return () => aborter.abort();
  }, [websiteId, key]);
  if (key === '') return { state: 'none' };
  if (found?.key !== key) return { state: 'busy' };
  return found.excluded === undefined ? { state: 'none' } : { state: 'ready', excluded: found.excluded };
}
