/** Shortens a text to at most `maxChars` UTF-16 units, and never leaves half a surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? maxChars - 1 : maxChars);
}

/** Shortens percent-encoded text, and never leaves `%` or `%C` at the end. */
export function cutEncoded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return cutText(text, maxChars).replace(/%[\da-f]?$/i, '');
}
