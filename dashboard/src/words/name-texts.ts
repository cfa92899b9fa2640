/**
 * Restores the keys of the English catalogue in the texts of another language. The build removes these keys,
 * and sorts the texts by them. Without a build, there is nothing to do.
 */
export function nameTexts<Catalogue>(english: Catalogue, texts: unknown): Catalogue {
  if (!Array.isArray(texts)) return texts as Catalogue;
  const keys = Object.keys(english as object).sort() as (keyof Catalogue)[];
  return Object.fromEntries(
    keys.map((key, index) => [key, nameTexts(english[key], texts[index])]),
  ) as Catalogue;
}
