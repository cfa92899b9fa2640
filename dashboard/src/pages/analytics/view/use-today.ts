import { createLocalTimeOrUtc } from '@trackside/contract/calendar/local-time.ts';
import { useMemo } from 'preact/hooks';
import { useNow } from '#browser/use-now.ts';

const lookAgainMs = 20_000;

/** Returns the current day in the website's timezone, and updates at midnight. */
export function useToday(timezone: string): string {
  const localTime = useMemo(() => createLocalTimeOrUtc(timezone), [timezone]);
  return localTime(useNow(lookAgainMs)).day;
}
