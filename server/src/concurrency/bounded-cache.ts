/** Remembers the values of recently used keys, within a bound. */
export type BoundedCache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
};

/**
 * The maximum number of entries, or the maximum total of `sizeOf`, which must always return the same size for
 * a value.
 */
type Bound<Value> = { maxEntries: number } | { maxSize: number; sizeOf: (value: Value) => number };

type Generation<Value> = { values: Map<string, Value>; size: number };

/**
 * Uses two generations instead of a linked list. When the young generation is full, it becomes the old one,
 * and the previous old one is dropped. A key that is used moves to the young generation, and a hit costs one
 * Map lookup.
 */
export function createBoundedCache<Value>(bound: Bound<Value>): BoundedCache<Value> {
  const { maxSize, sizeOf } =
    'sizeOf' in bound ? bound : { maxSize: bound.maxEntries, sizeOf: (_: Value) => 1 };
  const maxYoungSize = Math.max(1, Math.floor(maxSize / 2));
  let young = createGeneration<Value>();
  let old = createGeneration<Value>();

  function remove(from: Generation<Value>, key: string): void {
    const value = from.values.get(key);
    if (value === undefined) return;
    from.values.delete(key);
    from.size -= sizeOf(value);
  }

  function set(key: string, value: Value): void {
    const size = sizeOf(value);
    remove(young, key);
    // A key must not count in both generations.
    remove(old, key);
    if (size > maxSize) return;
    if (young.size > 0 && young.size + size > maxYoungSize) {
      old = young;
      young = createGeneration();
    }
    if (old.size + young.size + size > maxSize) old = createGeneration();
    young.values.set(key, value);
    young.size += size;
  }

  function get(key: string): Value | undefined {
    const recent = young.values.get(key);
    if (recent !== undefined) return recent;
    const earlier = old.values.get(key);
    if (earlier !== undefined) set(key, earlier);
    return earlier;
  }

  return {
    get,
    set,
    delete(key) {
      remove(young, key);
      remove(old, key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

/**
 * Reads texts, and remembers the results of recent ones. A text longer than `maxChars` is read again each
 * time.
 */
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

const createGeneration = <Value>(): Generation<Value> => ({ values: new Map(), size: 0 });
