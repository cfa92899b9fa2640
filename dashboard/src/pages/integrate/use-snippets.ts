import { useApi } from '#api/api-context.ts';
import { ok } from '#api/fault.ts';
import { type Resource, useResource } from '#api/use-resource.ts';
import { type Language, snippets } from './list-snippets.ts';

export type SnippetTexts = Readonly<Record<Language, string>>;

const urls = import.meta.glob<string>('./snippets/*.txt', { eager: true, query: '?url', import: 'default' });

/**
 * Loads the code of all languages from files of their own, because only this page needs it. They are small
 * and are loaded together, so that a tab opens without a pause. The browser caches them.
 */
export function useSnippets(): Resource<SnippetTexts> {
  const api = useApi();
  return useResource('snippets', async (signal) => {
    const texts: Partial<Record<Language, string>> = {};
    const answers = await Promise.all(
      snippets.map(async ({ id }) => {
        const answer = await api.file(urls[`./snippets/${id}.txt`]!, signal);
        if (answer.isOk) texts[id] = answer.value;
        return answer;
      }),
    );
    return answers.find((answer) => !answer.isOk) ?? ok(texts as SnippetTexts);
  });
}
