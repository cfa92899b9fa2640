/**
 * Reads a domain as people enter it. They often paste an address of their website, which contains it. A text
 * that is neither stays unchanged, and the server says what is wrong with it.
 */
export function readDomain(text: string): string {
  const trimmed = text.trim();
  // Without one of these characters, it is already a domain, or a mistake that a URL parser would hide.
  if (!/[/:?#@]/.test(trimmed) || /\s/.test(trimmed)) return trimmed;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return trimmed;
  // Returns the letters that were pasted rather than the ASCII that browsers convert them to.
  const host = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:@]*)/i.exec(trimmed)?.[1];
  return host === undefined || host === '' ? url.hostname : host.toLowerCase();
}
