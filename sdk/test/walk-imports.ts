import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns everything that a built module imports, directly or through other modules of the package: files by
 * their path, the rest by name.
 */
export function walkImports(file: string): { files: string[]; names: string[] } {
  const files = new Set<string>();
  const names = new Set<string>();
  const visit = (from: string): void => {
    if (files.has(from)) return;
    files.add(from);
    for (const name of readImports(readFileSync(from, 'utf8'))) {
      if (name.startsWith('.')) visit(join(dirname(from), name));
      else names.add(name);
    }
  };
  visit(file);
  return { files: [...files], names: [...names].sort() };
}

function readImports(text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...found].map(([, name, dynamic]) => name ?? dynamic!);
}
