import { EngineError, faults } from './engine-error.ts';

/** What the URL of a request asks for, apart from the statement itself. */
export type RequestParameters = {
  query: string | undefined;
  queryId: string | undefined;
  database: string | undefined;
  defaultFormat: string | undefined;
  isStreamed: boolean;
  params: Map<string, string>;
  settings: Map<string, string>;
};

export type SettingCaps = { maxExecutionSeconds: number; maxMemoryBytes: number };

const identifier = /^[A-Za-z_]\w{0,127}$/;
const plainValue = /^[\w.+-]{1,128}$/;

/**
 * Settings that a caller may change for one statement. The list is closed, because other settings read files
 * or change durability.
 */
const allowedSettings = new Set([
  'log_comment',
  'max_execution_time',
  'max_memory_usage',
  'max_threads',
  'max_query_size',
  'max_bytes_before_external_group_by',
  'max_bytes_before_external_sort',
  'session_timezone',
  'max_block_size',
  'max_result_rows',
  'max_result_bytes',
  'max_rows_to_read',
  'max_bytes_to_read',
  'result_overflow_mode',
  'read_overflow_mode',
  'timeout_overflow_mode',
  'max_insert_block_size',
  'min_insert_block_size_rows',
  'min_insert_block_size_bytes',
  'max_partitions_per_insert_block',
  'insert_deduplicate',
  'insert_deduplication_token',
  'input_format_parallel_parsing',
  'mutations_sync',
  'alter_sync',
  'output_format_json_quote_64bit_integers',
  'join_use_nulls',
  'optimize_aggregation_in_order',
  'optimize_read_in_order',
  'optimize_move_to_prewhere',
  // These only concern tables that are distributed or replicated.
  'distributed_ddl_output_mode',
  'distributed_ddl_task_timeout',
  'distributed_foreground_insert',
  'distributed_product_mode',
  'insert_quorum',
  'insert_quorum_timeout',
  'load_balancing',
  'max_replica_delay_for_distributed_queries',
  'optimize_skip_unused_shards',
  'parallel_distributed_insert_select',
  'prefer_localhost_replica',
  'skip_unavailable_shards',
]);

/**
 * The rows that a statement may see, by table. This is how the statistics of one website are kept apart from
 * all others.
 */
const websiteFilters = /^\{'[a-z_.]+':'website_id = \d{1,10}'(?:,'[a-z_.]+':'website_id = \d{1,10}')*\}$/;

/** These settings are for the network side of a real server and would change nothing here. */
const ignoredSettings = new Set(['enable_http_compression', 'send_progress_in_http_headers']);

export function readRequestParameters(search: URLSearchParams, caps: SettingCaps): RequestParameters {
  const parameters: RequestParameters = {
    query: search.get('query') ?? undefined,
    queryId: search.get('query_id') ?? undefined,
    database: search.get('database') ?? undefined,
    defaultFormat: search.get('default_format') ?? undefined,
    // Streaming must be requested explicitly, because starting a stream computes scalar subqueries on the
    // thread that serves everyone.
    isStreamed: search.get('wait_end_of_query') === '0',
    params: new Map(),
    settings: new Map(),
  };
  for (const word of [parameters.database, parameters.defaultFormat]) {
    if (word !== undefined && !identifier.test(word))
      throw new EngineError(faults.badArguments, `expected a name, got ${shown(word)}.`);
  }
  const handled = new Set(['query', 'query_id', 'database', 'default_format', 'wait_end_of_query']);
  for (const [name, value] of search) {
    if (handled.has(name) || ignoredSettings.has(name)) continue;
    if (name.startsWith('param_')) parameters.params.set(parameterName(name), value);
    else addSetting(parameters.settings, name, value, caps);
  }
  return parameters;
}

/** The name of a parameter in a statement, which has `param_` in front in a request. */
export function parameterName(sent: string): string {
  const name = sent.slice('param_'.length);
  if (!sent.startsWith('param_') || !identifier.test(name))
    throw new EngineError(faults.badArguments, `expected the name of a parameter, got ${shown(sent)}.`);
  return name;
}

function addSetting(settings: Map<string, string>, name: string, value: string, caps: SettingCaps): void {
  if (name === 'async_insert') {
    if (value === '0') return;
    throw new EngineError(
      faults.badArguments,
      'async_insert: expected 0, because an answered INSERT must be on disk.',
    );
  }
  if (name === 'additional_table_filters') {
    if (!websiteFilters.test(value))
      throw new EngineError(faults.badArguments, `${name}: expected websites by table, got ${shown(value)}.`);
    settings.set(name, value);
    return;
  }
  if (!allowedSettings.has(name)) {
    throw new EngineError(faults.unknownSetting, `setting ${shown(name)} cannot be changed in a request.`);
  }
  if (!plainValue.test(value))
    throw new EngineError(faults.badArguments, `${name}: expected a plain value, got ${shown(value)}.`);
  settings.set(name, capped(name, value, caps));
}

function capped(name: string, value: string, caps: SettingCaps): string {
  if (name === 'max_execution_time') return cap(value, caps.maxExecutionSeconds);
  if (name === 'max_memory_usage') return cap(value, caps.maxMemoryBytes);
  return value;
}

/** To ClickHouse, 0 means "no limit", so it is replaced by the limit as well. */
function cap(value: string, limit: number): string {
  const number = Number(value);
  return number > 0 && number < limit ? value : String(limit);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
