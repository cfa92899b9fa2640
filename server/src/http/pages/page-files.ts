import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A file of the web application, ready to be sent. */
export type PageFile = {
  type: string;
  /** Calculated on first use, because a start has hundreds of files to read. */
  etag: () => string;
  /** Whether the file's path changes with its content. */
  isImmutable: boolean;
  body: Buffer;
  /** Compresses the file on first use; undefined if compression gains nothing. */
  gzip: (() => Buffer) | undefined;
  brotli: (() => Buffer) | undefined;
};

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.yaml': 'application/yaml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
const packed = new Set(['.html', '.js', '.css', '.svg', '.json', '.yaml', '.txt']);

/**
 * Reads the built application into memory, by path. It is small. Returns undefined if it has not been built.
 */
export function readPageFiles(folder: string): Map<string, PageFile> | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => types[extname(entry.name)] !== undefined && !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return new Map(names.map((name) => [`/${name}`, readPageFile(folder, name)]));
}

function readPageFile(folder: string, name: string): PageFile {
  const body = readFileSync(join(folder, name));
  const extension = extname(name);
  const isPacked = packed.has(extension);
  return {
    type: types[extension]!,
    etag: once(() => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`),
    isImmutable: /^(?:assets|pictures-\d+)\//.test(name),
    body,
    gzip: isPacked ? once(() => gzipSync(body, { level: 9 })) : undefined,
    brotli: isPacked ? once(() => brotliCompressSync(body, brotliOptions)) : undefined,
  };
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
