import type { Logger } from 'pino';

/** What every part logs to: pino, with bound fields that say which part speaks. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;
