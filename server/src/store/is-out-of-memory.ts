import { ClickHouseError } from '@clickhouse/client';

/** MEMORY_LIMIT_EXCEEDED. */
export const memoryCode = '241';

/** Whether a statement needed more memory than one may have. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.code === memoryCode;
