/** Why a record is not on disk, and will not be. */
export type AppendFailure = 'journal-full' | 'journal-stalled' | 'journal-closed';

/** Called once for a record: when it is on disk, or with the reason why it will not be. */
export type Done = (failure?: AppendFailure) => void;
