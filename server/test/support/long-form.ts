/** Whether `npm run test:long` runs: every row of the tables, more rounds, more random cases. */
export const isLongForm = process.env.TRACKSIDE_LONG_TESTS === '1';

/** Returns how many rounds or random cases to try. */
export const times = (short: number, long: number): number => (isLongForm ? long : short);
