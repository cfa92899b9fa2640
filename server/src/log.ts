import type { Logger } from 'pino';

/** What every part logs to: pino, with bound fields that name the part. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;
