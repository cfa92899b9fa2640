import { existsSync, writeFileSync } from 'node:fs';
import { makeData } from './make-data.ts';

for (const [path, text] of Object.entries(makeData())) {
  const file = new URL(`../${path}`, import.meta.url);
  if (existsSync(new URL('.', file))) writeFileSync(file, text);
}
