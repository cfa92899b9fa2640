import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace, PlacedFile } from './backup-place.ts';

/** How to reach a bucket. */
export type S3Access = {
  /** Undefined means Amazon's own. */
  s3Endpoint: string | undefined;
  s3Region: string;
  s3AccessKeyId: string | undefined;
  s3SecretAccessKey: string | undefined;
};

type Page = { files: { key: string; bytes: number }[]; next: string | undefined };

const answerWithinMs = 120_000;
const attempts = 4;

/** Keeps backups in an S3-compatible bucket. Every request names the hash of what it sends. */
export function openS3Place(name: string, access: S3Access): BackupPlace {
  const { bucket, prefix } = readName(name);
  const { s3Region: region, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = access;
  const endpoint = access.s3Endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new OperatorError(
      `${name}: set TRACKSIDE_S3_ACCESS_KEY_ID and TRACKSIDE_S3_SECRET_ACCESS_KEY, ` +
        'or the variables with _FILE, to reach the bucket.',
    );
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: attempts });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const keyOf = (path: string) => (prefix === '' ? path : `${prefix}/${path}`);
  const urlOf = (path: string) => `${base}/${keyOf(path).split('/').map(encodeURIComponent).join('/')}`;

  async function send(method: string, url: string, body?: Uint8Array): Promise<Response> {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    try {
      return await client.fetch(url, {
        method,
        headers: { 'X-Amz-Content-Sha256': hash },
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(answerWithinMs),
      });
    } catch (error) {
      throw new OperatorError(`${name}: the bucket does not answer (${reasonOf(error)}).`, { cause: error });
    }
  }

  async function refuse(response: Response, what: string): Promise<never> {
    const text = await response.text().catch(() => '');
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? 'no code';
    throw new OperatorError(`${name}: the bucket refused to ${what}: ${response.status} (${code}).`);
  }

  async function listPage(prefix: string, next: string | undefined): Promise<Page> {
    const query = new URLSearchParams({
      'list-type': '2',
      'encoding-type': 'url',
      prefix,
      ...(next !== undefined && { 'continuation-token': next }),
    });
    const response = await send('GET', `${base}?${query}`);
    if (!response.ok) await refuse(response, 'list its files');
    return readPage(await response.text());
  }

  return {
    name,
    async write(path, bytes) {
      const response = await send('PUT', urlOf(path), bytes);
      if (!response.ok) await refuse(response, `write ${path}`);
      await response.arrayBuffer();
    },
    async read(path) {
      const response = await send('GET', urlOf(path));
      if (response.status === 404) {
        const text = await response.text();
        // Anything else means that the bucket is wrong, and not that the file is missing.
        if (text.includes('<Code>NoSuchKey</Code>')) return undefined;
        throw new OperatorError(`${name}: there is no such bucket.`);
      }
      if (!response.ok) await refuse(response, `read ${path}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async list(folder) {
      const found: PlacedFile[] = [];
      let next: string | undefined;
      do {
        const page = await listPage(`${keyOf(folder)}/`, next);
        const skipped = prefix === '' ? 0 : prefix.length + 1;
        for (const { key, bytes } of page.files) found.push({ path: key.slice(skipped), bytes });
        next = page.next;
      } while (next !== undefined);
      return found;
    },
    // One file is one request, so it is there as a whole or not at all.
    listUnfinished: async () => [],
    async remove(path) {
      const response = await send('DELETE', urlOf(path));
      if (!response.ok && response.status !== 404) await refuse(response, `remove ${path}`);
      await response.arrayBuffer();
    },
    async isEmpty() {
      const { files } = await listPage(keyOf(''), undefined);
      // Consoles create such a file for a new folder.
      return files.every(({ key }) => key.endsWith('/'));
    },
    // A bucket has no locks. What is held in the data folder keeps backups of one server apart.
    lock: () => ({ release() {} }),
  };
}

function readName(name: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-zA-Z0-9][\w.-]{1,254})(?:\/(.*))?$/.exec(name) ?? [];
  if (bucket === undefined) throw new OperatorError(`Expected s3://bucket/prefix, got "${name}".`);
  return { bucket, prefix: prefix.replace(/\/+$/, '') };
}

/** Reads what S3 answers to a request for a list of files. */
function readPage(xml: string): Page {
  const textOf = (within: string, tag: string) =>
    new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(within)?.[1]?.replaceAll('&amp;', '&');
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry]) => ({
    key: decodeURIComponent((textOf(entry!, 'Key') ?? '').replaceAll('+', ' ')),
    bytes: Number(textOf(entry!, 'Size')),
  }));
  const isTruncated = textOf(xml, 'IsTruncated') === 'true';
  return { files, next: isTruncated ? textOf(xml, 'NextContinuationToken') : undefined };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
