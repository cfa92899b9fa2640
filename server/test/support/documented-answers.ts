import { type ApiAnswer, type ApiDocument, describeApi } from '../../src/http/server/openapi-document.ts';

type Documented = { isOperation: boolean; answers: ReadonlyMap<number, ApiAnswer> };

let paths: readonly { shape: RegExp; path: string }[] | undefined;
let document: ApiDocument | undefined;

/** Returns the answers that the OpenAPI document lists for a request; undefined for a path that it lacks. */
export function documentedAnswers(method: string, path: string): Documented | undefined {
  document ??= describeApi();
  // A path without a parameter comes first, because it is the one that answers.
  paths ??= Object.keys(document.paths)
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .map((known) => ({ path: known, shape: new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  const found = paths.find(({ shape }) => shape.test(path));
  if (found === undefined) return undefined;
  const { components, paths: all } = document;
  const operation = all[found.path]![method === 'HEAD' ? 'get' : method.toLowerCase()];
  const answers = Object.entries(operation?.responses ?? {}).map(([status, answer]) => {
    const named = '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1)!] : undefined;
    return [Number(status), named ?? (answer as ApiAnswer)] as const;
  });
  return { isOperation: operation !== undefined, answers: new Map(answers) };
}
