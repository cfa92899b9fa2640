import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A file with its content, or a folder. */
type Entry = { path: string; content?: string };

/** Packs a folder into one compressed file. Links are left out: the engine makes them again. So are sockets. */
export async function packFolder(folder: string): Promise<Buffer> {
  return zstdCompressSync(JSON.stringify(await readEntries(folder, '')));
}

async function readEntries(folder: string, within: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const found of await readdir(join(folder, within), { withFileTypes: true })) {
    const path = join(within, found.name);
    if (found.isFile())
      entries.push({ path, content: (await readFile(join(folder, path))).toString('base64') });
    if (found.isDirectory()) entries.push({ path }, ...(await readEntries(folder, path)));
  }
  return entries;
}

export async function unpackFolder(packed: Buffer, folder: string): Promise<void> {
  for (const { path, content } of JSON.parse(zstdDecompressSync(packed).toString('utf8')) as Entry[]) {
    const to = join(folder, path);
    await mkdir(content === undefined ? to : dirname(to), { recursive: true, mode: 0o700 });
    if (content !== undefined) await writeFile(to, Buffer.from(content, 'base64'), { mode: 0o600 });
  }
}
