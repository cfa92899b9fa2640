import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Shares compiled code between engines. An engine keeps it next to its store, so the first engine on a folder
 * has to compile. In a run of all tests, engines on new folders share the code of the run and start in half
 * the time.
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
