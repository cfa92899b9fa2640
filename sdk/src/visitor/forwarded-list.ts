/**
 * Yields the elements of a list header from its right end, where our own proxies write. Whatever a client put
 * in front, even an unbalanced quote, cannot affect the elements after it, and is not read unless asked for.
 */
export function* elementsFromRight(value: string | undefined): Generator<string, undefined> {
  if (value === undefined) return;
  let end = value.length;
  let isQuoted = false;
  for (let at = value.length - 1; at >= 0; at -= 1) {
    const sign = value[at];
    if (sign === '"') {
      if (!isQuoted || !isEscaped(value, at)) isQuoted = !isQuoted;
    } else if (sign === ',' && !isQuoted) {
      const element = value.slice(at + 1, end).trim();
      if (element !== '') yield element;
      end = at;
    }
  }
  const first = value.slice(0, end).trim();
  if (first !== '') yield first;
}

function isEscaped(value: string, quoteAt: number): boolean {
  let at = quoteAt;
  while (value[at - 1] === '\\') at -= 1;
  return (quoteAt - at) % 2 === 1;
}

/** Returns the n-th element from the right end, or the leftmost if there are fewer. */
export function pickFromRight(value: string | undefined, n: number): string | undefined {
  let picked: string | undefined;
  let count = 0;
  for (const element of elementsFromRight(value)) {
    picked = element;
    count += 1;
    if (count === n) break;
  }
  return picked;
}

/**
 * Returns the value of `for`, `proto` or `host` in an element of `Forwarded` (RFC 7239), without its quotes.
 */
export function readPair(element: string, name: string): string | undefined {
  for (const pair of pairsOf(element)) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim().toLowerCase() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  }
  return undefined;
}

/**
 * Splits an element into pairs. A quoted host comes from the client, so a semicolon in it must not begin a
 * pair.
 */
function* pairsOf(element: string): Generator<string, undefined> {
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < element.length; at += 1) {
    const sign = element[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\\' && isQuoted) at += 1;
    else if (sign === ';' && !isQuoted) {
      yield element.slice(start, at);
      start = at + 1;
    }
  }
  yield element.slice(start);
}
