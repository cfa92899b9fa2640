import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { House } from './houses.ts';

/** The importing file and the imported one, as paths within the house. */
export type Import = { from: string; to: string };

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns the code of a house, what its files import from each other, and what they import from other parts.
 */
export function readHouse({ folder, hasAliases }: House) {
  const root = join(repository, folder);
  const isCode = (name: string) => !/\.test\.ts$|(?:^|\/)test-[a-z-]+\.ts$/.test(name);
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(isCode);
  const imports: Import[] = [];
  const others: string[] = [];
  const climbing: string[] = [];
  for (const from of files) {
    for (const target of targetsOf(readFileSync(join(root, from), 'utf8'))) {
      if (target.startsWith('@trackside/')) others.push(target);
      if (target.startsWith('#')) imports.push({ from, to: target.slice(1) });
      if (!target.startsWith('.')) continue;
      const to = relative(root, resolve(root, dirname(from), target));
      if (to.startsWith('..')) others.push(target);
      else imports.push({ from, to });
      if (hasAliases && from.includes('/') && roomOf(from) !== roomOf(to))
        climbing.push(`${from} → ${target}`);
    }
  }
  return { root, files, imports, others, climbing };
}

/** Returns everything that a text imports, including types and style sheets. Code in a string is only shown. */
function targetsOf(text: string): string[] {
  const code = text.replaceAll(/`[^`]*`/g, '``');
  return [...code.matchAll(/(?:from\s+|import\s+|import\()\s*'([^']+)'/g)].map(([, target]) => target!);
}

export function roomOf(file: string): string {
  const [first = ''] = file.split('/');
  return first.replace(/\.tsx?$/, '');
}

/** Returns the imports that break the order of rooms. */
export function wrongImports({ rooms }: Pick<House, 'rooms'>, imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      const [above, below] = [roomOf(from), roomOf(to)];
      return above !== below && !rooms[above]?.includes(below);
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

/** Returns a cycle of files that import each other, or undefined. */
export function findCycle(imports: readonly Import[]): string[] | undefined {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const { to } of targets.get(file) ?? []) {
      const cycle = visit(to, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
