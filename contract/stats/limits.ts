/** How much can be asked for. Server, dashboard and document have these numbers from here alone. */

/** Bytes of a request's body. */
export const maxBodyBytes = 256 * 1024;
/** Questions of one batch. */
export const maxBatch = 32;

/** Days of a period: twenty years. */
export const maxDays = 7320;
/** Of a period that is so many minutes up to now. */
export const maxLastMinutes = 1440;
/** Intervals of a series. */
export const maxIntervals = 3000;

export const maxDimensions = 4;
export const maxOrders = 5;
export const maxFilters = 20;
/** Values that one filter compares with. */
export const maxValues = 200;
/** Characters of one text. */
export const maxTextLength = 2048;
/**
 * With the store's limit of 8 MiB for a statement, in which a byte can take six, there is room for all else.
 */
export const maxFilterBytes = 128 * 1024;

export const maxRows = 10_000;
export const defaultRows = 100;
export const maxOffset = 1_000_000;

export const pathsLimits = { minSteps: 1, maxSteps: 3, maxPages: 100 } as const;
