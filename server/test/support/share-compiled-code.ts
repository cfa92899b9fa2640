import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * An engine keeps its compiled code beside its store, and so the first one on a folder compiles. In a run of
 * all tests, those on new folders share the code of the run: each starts in half the time.
 */
export function shareCompiledCode(storeFolder: string): void {
  const { NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE === undefined) return;
  const shared = join(NODE_COMPILE_CACHE, 'engine');
  const own = join(`${storeFolder}.run`, 'compile-cache');
  if (existsSync(own)) return;
  mkdirSync(shared, { recursive: true });
  mkdirSync(`${storeFolder}.run`, { recursive: true, mode: 0o700 });
  symlinkSync(shared, own);
}
