/**
 * What chDB is told when the store opens: small caches and few threads, since it shares the machine with
 * intake.
 */

const mebibyte = 2 ** 20;

/**
 * Outside of what chDB counts: its mapped library, Node itself, request bodies. At rest it is about 310 MiB.
 */
const uncountedBytes = 384 * mebibyte;

export type MemoryShares = { serverBytes: number; queryBytes: number };

/**
 * Stays under the supervisor's cap, so that a greedy query fails by itself before the whole engine is killed.
 */
export function memoryShares(maxMemoryBytes: number): MemoryShares {
  const serverBytes = Math.max(Math.floor(maxMemoryBytes / 2), maxMemoryBytes - uncountedBytes);
  return { serverBytes, queryBytes: Math.floor(serverBytes / 2) };
}

/**
 * Server settings. By default chDB keeps up to 1,000 finished threads, a hundred of them after 20 inserts; so
 * it keeps 31.
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
    // How long a pool without work may sleep before it looks again, at random: deletions wait for it at each
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

/** What every session starts with and goes back to after each statement. */
export function sessionSettings(memory: MemoryShares): Record<string, string | number> {
  return {
    async_insert: 0,
    // The values of a statement are set by another one, which has all of them in its text.
    max_query_size: 8 * mebibyte,
    max_execution_time: defaultExecutionSeconds,
    max_memory_usage: memory.queryBytes,
    max_bytes_before_external_group_by: Math.floor(memory.queryBytes / 2),
    max_bytes_before_external_sort: Math.floor(memory.queryBytes / 2),
    // Just-in-time compilation pays off on larger data than ours, and its code is never given back.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
  };
}
