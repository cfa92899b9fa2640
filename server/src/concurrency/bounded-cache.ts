/** Remembers the values of recently used keys, never more than `maxEntries` of them. */
export type BoundedCache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
};

/**
 * Two generations instead of a linked list: a full young generation becomes the old one and the old one
 * is forgotten. A key in use is carried over, and a hit costs one Map look-up.
 */
export function createBoundedCache<Value>({ maxEntries }: { maxEntries: number }): BoundedCache<Value> {
  const maxYoungEntries = Math.max(1, Math.floor(maxEntries / 2));
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function set(key: string, value: Value): void {
    if (young.size >= maxYoungEntries && !young.has(key)) {
      old = maxEntries > 1 ? young : new Map();
      young = new Map();
    }
    young.set(key, value);
    // A key must not count in both generations.
    old.delete(key);
  }

  function get(key: string): Value | undefined {
    const recent = young.get(key);
    if (recent !== undefined) return recent;
    const earlier = old.get(key);
    if (earlier !== undefined) set(key, earlier);
    return earlier;
  }

  return {
    get,
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

/** Reads a text, and remembers what came of the last ones. A text beyond `maxChars` is read anew each time. */
export function createCachedReader<Value>(options: {
  maxEntries: number;
  maxChars: number;
  read: (text: string) => Value;
}): (text: string) => Value {
  const { maxChars, read } = options;
  const cache = createBoundedCache<Value>(options);
  return (text) => {
    if (text.length > maxChars) return read(text);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (value !== undefined) cache.set(text, value);
    return value;
  };
}
