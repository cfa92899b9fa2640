/** Reads the path of a public page: /share/:token, or /share/:token/embed inside another page. */
export function readSharePath(path: string): { token: string; isEmbed: boolean } {
  const [, token = '', last] = path.split('/').filter((part) => part !== '');
  return { token, isEmbed: last === 'embed' };
}
