import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that another process is waiting for. It appears with all of its text, or not at all. */
export async function handOverFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
