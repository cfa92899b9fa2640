/** A small S3 for tests. It keeps files in memory, and checks every signature by itself. */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { S3Access } from './s3-place.ts';

const keyId = 'a-key-id';
const secret = 'a/secret+key';
const perPage = 2;

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export async function startTestS3(t: TestContext, bucket: string) {
  const files = new Map<string, Buffer>();
  /** Answered instead, once each. */
  const failures: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const answer = (status: number, text: string | Buffer = '') => response.writeHead(status).end(text);
    const failure = failures.shift();
    if (failure !== undefined) return answer(failure, '<Error><Code>SlowDown</Code></Error>');
    if (!isSigned(request, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    const url = new URL(request.url!, 'http://s3');
    const [, ofBucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    if (ofBucket !== bucket) return answer(404, '<Error><Code>NoSuchBucket</Code></Error>');
    if (url.searchParams.get('list-type') === '2') return answer(200, listPage(files, url.searchParams));
    const key = rest.join('/');
    if (request.method === 'PUT') files.set(key, body);
    if (request.method === 'DELETE') files.delete(key);
    if (request.method !== 'GET') return answer(request.method === 'PUT' ? 200 : 204);
    const found = files.get(key);
    return found === undefined ? answer(404, '<Error><Code>NoSuchKey</Code></Error>') : answer(200, found);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const access: S3Access = {
    s3Endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    s3Region: 'eu-central-1',
    s3AccessKeyId: keyId,
    s3SecretAccessKey: secret,
  };
  return { files, failures, access };
}

function listPage(files: Map<string, Buffer>, query: URLSearchParams): string {
  const all = [...files.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number(query.get('continuation-token') ?? '0');
  const page = all.slice(from, from + perPage);
  const entries = page.map(
    (key) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${files.get(key)!.length}</Size></Contents>`,
  );
  const isTruncated = from + perPage < all.length;
  const next = isTruncated ? `<NextContinuationToken>${from + perPage}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}

/** Computes the signature of version 4 from the request as it came. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const found =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      request.headers.authorization ?? '',
    );
  if (found === null) return false;
  const [, id, date, region, signed, signature] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const hash = String(request.headers['x-amz-content-sha256']);
  if (id !== keyId || hash !== sha256(body)) return false;
  const url = new URL(request.url!, 'http://s3');
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const path = url.pathname.split('/').map(decodeURIComponent).map(encode).join('/');
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [request.method, path, query.join('&'), headers.join(''), signed, hash].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, date));
  return hmac(key, toSign).toString('hex') === signature;
}
