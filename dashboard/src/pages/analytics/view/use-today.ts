import { useMemo } from 'preact/hooks';
import { useNow } from '../../../browser/use-now.ts';
import { createLocalDay } from './create-local-day.ts';

const lookAgainMs = 20_000;

/** The day it is at the website; another one when midnight passes there. */
export function useToday(timezone: string): string {
  const localDay = useMemo(() => createLocalDay(timezone), [timezone]);
  return localDay(useNow(lookAgainMs));
}
