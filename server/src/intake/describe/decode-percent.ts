/**
 * Takes one layer of percent encoding off. Of a text that is not quite encoded only the escapes are read:
 * Node's own unescape would cut every other character down to a byte then, and make something else of it.
 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    );
  }
}
