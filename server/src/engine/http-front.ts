import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerStream } from './answer-stream.ts';
import { EngineError, faults, toEngineError } from './engine-error.ts';
import type { Statement } from './held-session.ts';
import { readBody } from './read-body.ts';
import { readForm } from './read-form.ts';
import { type RequestParameters, readRequestParameters, type SettingCaps } from './request-parameters.ts';
import type { SessionPool } from './session-pool.ts';
import type { StatementStopper } from './statement-stopper.ts';
import { changesTables, formatOf, hasInlineRows, isInsert, isSelect, parseInsert } from './statement-text.ts';

export type HttpFrontOptions = {
  queries: SessionPool;
  quick: SessionPool;
  inserts: SessionPool;
  stopper: StatementStopper;
  caps: SettingCaps;
  maxBodyBytes: number;
  /** Called when chDB reports that it has failed as a whole. */
  onFatal: (code: number) => void;
  /** Called after a statement that may have changed a table, before it is answered. */
  onTablesChanged: () => void;
};

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  parameters: RequestParameters;
  gone: AbortSignal;
};

/** Values are sent in the URL, where each byte can take six. */
const maxHeaderBytes = 8 * 2 ** 20;
const maxConnections = 256;
const abortedCode = 236;

/** The part of ClickHouse's HTTP interface that its Node client uses. */
export function createHttpFront(options: HttpFrontOptions): Server {
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 30_000 },
    (request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort(new Error('the client has left')));
      route(options, request, response, gone.signal).catch((error: unknown) => {
        const failure = toEngineError(error);
        if (failure.code === abortedCode) options.onFatal(failure.code);
        answerError(response, failure);
      });
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

async function route(
  options: HttpFrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping') return answerPing(request, response);
  if (url.pathname !== '/')
    throw new EngineError(faults.noSuchPath, `expected / or /ping, got ${url.pathname.slice(0, 60)}.`);
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    throw new EngineError(faults.wrongMethod, `expected POST, got ${request.method}.`);
  }
  const parameters = readRequestParameters(url.searchParams, options.caps);
  const sent = await readPlainBody(request, options.maxBodyBytes);
  const body = await takeForm(parameters, request.headers['content-type'], sent);
  const exchange = { request, response, parameters, gone };
  if (parameters.query !== undefined && isInsert(parameters.query) && body.length > 0) {
    return await answerInsert(options.inserts, exchange, parameters.query, body);
  }
  // Loading also counts and deletes, one statement at a time, and must not wait behind a question.
  const pool = poolFor(options, request.headers['x-trackside-use']);
  await answerStatement(options, pool, exchange, oneStatement(parameters.query, body));
}

function poolFor({ queries, quick, inserts }: HttpFrontOptions, use: unknown): SessionPool {
  if (use === 'loading') return inserts;
  return use === 'quick' ? quick : queries;
}

function answerPing(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    throw new EngineError(faults.wrongMethod, `expected GET, got ${request.method}.`);
  }
  response.end('Ok.\n');
}

async function readPlainBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new EngineError(
      faults.notImplemented,
      'expected a body without Content-Encoding, got a compressed one.',
    );
  }
  return await readBody(request, maxBytes);
}

/** Moves the parameters of a form to the others, and returns the statement in it. */
async function takeForm(
  parameters: RequestParameters,
  type: string | undefined,
  body: Buffer,
): Promise<Buffer> {
  if (type === undefined || !type.startsWith('multipart/')) return body;
  const form = await readForm(type, body);
  for (const [name, value] of form.params) parameters.params.set(name, value);
  return form.query;
}

function oneStatement(query: string | undefined, body: Buffer): string {
  if (query !== undefined && body.length > 0) {
    throw new EngineError(
      faults.notImplemented,
      'expected the statement in the URL or in the body, got both.',
    );
  }
  const sql = query ?? body.toString('utf8');
  if (sql.trim() === '') throw new EngineError(faults.badArguments, 'expected a statement, got nothing.');
  if (hasInlineRows(sql)) {
    throw new EngineError(
      faults.notImplemented,
      'expected INSERT … FORMAT in the URL and its rows in the body.',
    );
  }
  return sql;
}

async function answerInsert(pool: SessionPool, exchange: Exchange, sql: string, rows: Buffer): Promise<void> {
  const { parameters, response, gone } = exchange;
  const into = parseInsert(sql);
  if (parameters.params.size > 0)
    throw new EngineError(faults.notImplemented, 'an INSERT with rows takes no parameters.');
  // chDB takes what comes after it for another statement.
  if (rows.includes('\n\n'))
    throw new EngineError(faults.badArguments, 'expected a row in each line, got an empty line.');
  const summary = await pool.use(gone, (session) =>
    session.insert(into, rows, { database: parameters.database ?? 'default', settings: parameters.settings }),
  );
  response.writeHead(200, {
    ...commonHeaders(parameters),
    'X-ClickHouse-Summary': summaryHeader({
      written_rows: summary.rowsWritten,
      written_bytes: summary.bytesWritten,
      elapsed_ns: Math.round(summary.elapsed * 1e9),
    }),
  });
  response.end();
}

async function answerStatement(
  { stopper, onTablesChanged }: HttpFrontOptions,
  pool: SessionPool,
  exchange: Exchange,
  sql: string,
): Promise<void> {
  const { request, response, parameters, gone } = exchange;
  const requestedFormat = request.headers['x-clickhouse-format'];
  const format =
    formatOf(sql) ??
    parameters.defaultFormat ??
    (typeof requestedFormat === 'string' ? requestedFormat : 'TabSeparated');
  const { database = 'default', params, settings } = parameters;
  const statement = { sql, format, database, params, settings };
  const headers = { ...commonHeaders(parameters), 'X-ClickHouse-Format': format };
  if (parameters.isStreamed && isSelect(sql)) {
    await pool.use(gone, (session) =>
      session.runStreamed(inSmallBlocks(statement), (stream) =>
        answerStream(response, headers, stream, gone),
      ),
    );
    return;
  }
  const result = await pool.use(gone, (session) =>
    // Only statements that change nothing are stopped midway.
    isSelect(sql) ? stopper.run(session, statement, gone) : session.run(statement, gone),
  );
  if (changesTables(sql)) onTablesChanged();
  const bytes = result.bytes();
  response.writeHead(200, {
    ...headers,
    'Content-Length': String(bytes.length),
    'X-ClickHouse-Summary': summaryHeader({
      read_rows: result.rowsRead,
      read_bytes: result.bytesRead,
      elapsed_ns: Math.round(result.elapsed * 1e9),
    }),
  });
  response.end(bytes);
}

/**
 * Each chunk of a stream is a block. Blocks of 8,192 rows instead of chDB's 65,000 halve the memory that a
 * stream needs, from 160 MB to 80 MB.
 */
function inSmallBlocks(statement: Statement): Statement {
  return { ...statement, settings: new Map([['max_block_size', '8192'], ...statement.settings]) };
}

function commonHeaders(parameters: RequestParameters): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': 'text/plain; charset=UTF-8' };
  if (parameters.queryId !== undefined && /^[\w:.-]{1,128}$/.test(parameters.queryId)) {
    headers['X-ClickHouse-Query-Id'] = parameters.queryId;
  }
  return headers;
}

/** The numbers in this header are strings, as ClickHouse sends them. */
function summaryHeader(counts: Record<string, number>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])),
  );
}

function answerError(response: ServerResponse, failure: ReturnType<typeof toEngineError>): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, httpStatus, message } = failure;
  // The body of a refused request may still be arriving. Nobody reads it, so the connection can't be kept.
  if (!response.req.complete) response.setHeader('Connection', 'close');
  response.writeHead(httpStatus, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
  });
  response.end(`${message}\n`);
}
