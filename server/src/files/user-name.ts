import { readFile } from 'node:fs/promises';

/** Returns the name of a user of this machine, or the ID as `sudo -u` takes it. */
export async function userName(uid: number): Promise<string> {
  const lines = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const line of lines.split('\n')) {
    const [name = '', , id] = line.split(':');
    if (id === String(uid)) return name;
  }
  return `'#${uid}'`;
}
