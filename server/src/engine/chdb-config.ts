/**
 * The configuration that chDB gets when the store opens. Caches are small and threads are few, because chDB
 * shares the machine with intake.
 */

const mebibyte = 2 ** 20;

/**
 * Memory that chDB doesn't count: its mapped library, Node itself, and request bodies. At rest it is about
 * 310 MiB.
 */
const uncountedBytes = 384 * mebibyte;

export type MemoryShares = { serverBytes: number; queryBytes: number };

/**
 * Stays below the supervisor's limit, so that an expensive query fails before the entire engine is killed.
 */
export function memoryShares(maxMemoryBytes: number): MemoryShares {
  const serverBytes = Math.max(Math.floor(maxMemoryBytes / 2), maxMemoryBytes - uncountedBytes);
  return { serverBytes, queryBytes: Math.floor(serverBytes / 2) };
}

/**
 * The server settings. By default chDB keeps up to 1,000 finished threads, and has a hundred of them after 20
 * inserts. These settings limit it to 31.
 */
export function serverConfigXml(memory: MemoryShares): string {
  const settings = {
    max_server_memory_usage: memory.serverBytes,
    mark_cache_size: 64 * mebibyte,
    primary_index_cache_size: 64 * mebibyte,
    index_mark_cache_size: 8 * mebibyte,
    uncompressed_cache_size: 0,
    query_condition_cache_size: 8 * mebibyte,
    compiled_expression_cache_size: mebibyte,
    background_pool_size: 2,
    background_merges_mutations_concurrency_ratio: 1,
    background_schedule_pool_initial_size: 2,
    // The random time that a pool without work may sleep before it looks again. Deletions wait for it at each
    // step.
    background_processing_pool_task_sleep_seconds_when_no_work_random_part: 0.05,
    max_thread_pool_free_size: 4,
    max_io_thread_pool_size: 8,
    max_io_thread_pool_free_size: 0,
    max_active_parts_loading_thread_pool_size: 4,
    max_outdated_parts_loading_thread_pool_size: 2,
    max_parts_cleaning_thread_pool_size: 2,
    max_format_parsing_thread_pool_size: 4,
    prefetch_threadpool_pool_size: 4,
    load_marks_threadpool_pool_size: 4,
    threadpool_writer_pool_size: 4,
    threadpool_local_fs_reader_pool_size: 4,
    threadpool_remote_fs_reader_pool_size: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `  <${name}>${value}</${name}>`);
  return `<clickhouse>\n${lines.join('\n')}\n</clickhouse>\n`;
}

export const defaultExecutionSeconds = 30;

/** The settings that every session starts with and returns to after each statement. */
export function sessionSettings(memory: MemoryShares): Record<string, string | number> {
  return {
    async_insert: 0,
    // Another statement sets the values of a statement, and its text contains all of them.
    max_query_size: 8 * mebibyte,
    max_execution_time: defaultExecutionSeconds,
    max_memory_usage: memory.queryBytes,
    max_bytes_before_external_group_by: Math.floor(memory.queryBytes / 2),
    max_bytes_before_external_sort: Math.floor(memory.queryBytes / 2),
    // Just-in-time compilation pays off on larger data than ours, and its code is never freed.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
  };
}
