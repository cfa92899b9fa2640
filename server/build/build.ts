import { fileURLToPath } from 'node:url';
import { writeBundle } from './write-bundle.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

await writeBundle({
  main: path('../src/main.ts'),
  dist: path('../dist'),
  // A native library, and a list that is read from its file.
  external: ['chdb', 'crawler-user-agents'],
});
