import { isDay } from '@trackside/contract/calendar/day.ts';

/** The range of the store's dates. */
const first = '1970-01-01';
const last = '2149-06-06';

/** Whether a text is a day that a record can have. */
export const isStorableDay = (text: string): boolean => isDay(text) && text >= first && text <= last;
