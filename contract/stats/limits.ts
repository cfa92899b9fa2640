/**
 * How much can be asked for. The server, the dashboard and the OpenAPI document take these numbers from here.
 */

/** The size of a request's body. */
export const maxBodyBytes = 256 * 1024;
/** The number of questions in one batch. */
export const maxBatch = 32;

/** The number of days of a period: twenty years. */
export const maxDays = 7320;
/** The length of a period that ends now, in minutes. */
export const maxLastMinutes = 1440;
/** The number of intervals of a series. */
export const maxIntervals = 3000;

export const maxDimensions = 4;
export const maxOrders = 5;
export const maxFilters = 20;
/** The number of values that one filter compares with. */
export const maxValues = 200;
/** The number of characters of one text. */
export const maxTextLength = 2048;
/**
 * The store allows 8 MiB for a statement, in which one byte of text can take up six. This leaves room for
 * everything else.
 */
export const maxFilterBytes = 128 * 1024;

export const maxRows = 10_000;
export const defaultRows = 100;
export const maxOffset = 1_000_000;

export const pathsLimits = { minSteps: 1, maxSteps: 3, maxPages: 100 } as const;
