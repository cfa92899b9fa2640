/** What the address of a public page says: /share/:token, or /share/:token/embed inside of another page. */
export function readSharePath(path: string): { token: string; isEmbed: boolean } {
  const [, token = '', last] = path.split('/').filter((part) => part !== '');
  return { token, isEmbed: last === 'embed' };
}
