import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// TypeScript exports its package.json, and no other of its files.
const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));

/**
 * Compiles some files of somebody else's project. Resolves to the compiler's output, which is '' if there are
 * no errors.
 */
export async function compileProject(
  project: string,
  { files, compilerOptions }: { files: string[]; compilerOptions: object },
): Promise<string> {
  const options = { ...compilerOptions, noEmit: true, strict: true };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  return new Promise((resolve) => {
    const flags = ['-p', project, '--pretty', 'false'];
    execFile(process.execPath, [tsc, ...flags], (fault, stdout, stderr) => {
      resolve(fault === null ? '' : stdout + stderr || fault.message);
    });
  });
}
