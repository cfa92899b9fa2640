/**
 * Reads a domain as people enter it. They often paste an address of their website, which has it inside. A text
 * that is neither stays as it is, and the server says what is wrong with it.
 */
export function readDomain(text: string): string {
  const trimmed = text.trim();
  // Without one of these it is a domain already, or a mistake that a URL parser would hide.
  if (!/[/:?#@]/.test(trimmed) || /\s/.test(trimmed)) return trimmed;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return trimmed;
  // The letters that were pasted, and not the ASCII that browsers make of them.
  const host = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:@]*)/i.exec(trimmed)?.[1];
  return host === undefined || host === '' ? url.hostname : host.toLowerCase();
}
