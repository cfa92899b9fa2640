import { createLocalTimeOrUtc } from '@trackside/contract/calendar/local-time.ts';
import { useMemo } from 'preact/hooks';
import { useNow } from '#browser/use-now.ts';

const lookAgainMs = 20_000;

/** The day it is at the website; another one when midnight passes there. */
export function useToday(timezone: string): string {
  const localTime = useMemo(() => createLocalTimeOrUtc(timezone), [timezone]);
  return localTime(useNow(lookAgainMs)).day;
}
