/**
 * Imported first by each program of the bundle, this makes stack traces name lines of the sources. Node could
 * do that (`--enable-source-maps`), but it reads all source maps at the start and takes 45 MB of memory for
 * them. This reads the map of a file when an error of that file is shown.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const bundle = new URL('.', import.meta.url).href;
const placeInFile = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap>();

Error.prepareStackTrace = (error, frames) => {
  const trace = frames.map((frame) => `\n    at ${frame}`.replace(placeInFile, toSource));
  return `${error}${trace.join('')}`;
};

function toSource(place: string, file: string, line: string, column: string): string {
  if (!file.startsWith(bundle)) return place;
  try {
    const entry = mapOf(file).findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return place;
    const source = new URL(entry.originalSource, file).href;
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  } catch {
    // A trace into the bundle is better than an error about an error.
    return place;
  }
}

function mapOf(file: string): SourceMap {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  maps.set(file, map);
  return map;
}
