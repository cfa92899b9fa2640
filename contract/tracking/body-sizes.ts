/** The most that the server reads of one record. A valid event with every character escaped reaches 290 KB. */
export const maxBodyBytes = 512 * 1024;

/** The most that the server reads of one batch, before and after decompression. */
export const maxBatchBytes = 4 * 1024 * 1024;

export const maxBatchRecords = 500;

/**
 * The most members and elements in all records of a batch, and in one of them. A full event has 64. Without
 * these bounds, 4 MiB could keep the server busy for seconds.
 */
export const maxBatchValues = 100_000;
export const maxRecordValues = 10_000;
