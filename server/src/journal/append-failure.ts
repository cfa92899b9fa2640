/** Why a record isn't on disk and won't be. */
export type AppendFailure = 'journal-full' | 'journal-stalled' | 'journal-closed';

/** Called once for a record: when it is on disk, or with the reason why it won't be. */
export type Done = (failure?: AppendFailure) => void;
