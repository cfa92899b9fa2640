/**
 * Removes one layer of percent encoding. In a text that is not encoded correctly, only the escapes are
 * decoded: Node's own unescape would cut every other character down to a byte, and change the text.
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
