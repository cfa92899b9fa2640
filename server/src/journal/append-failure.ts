/**
 * Why a record isn't acknowledged. It isn't on disk and won't be, except with `journal-broken`: then it was being
 * written, and nobody knows how much of it the disk has.
 */
export type AppendFailure = 'journal-full' | 'journal-stalled' | 'journal-closed' | 'journal-broken';

/** Called once for a record: when it is on disk, or with the reason why it isn't acknowledged. */
export type Done = (failure?: AppendFailure) => void;
