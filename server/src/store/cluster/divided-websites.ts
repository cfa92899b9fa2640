import { databaseName } from '../database-name.ts';

/** Which websites have their rows on several shards of a cluster, by visitor. */
export type DividedWebsites = {
  /** Whether rows of a website can be on any shard. */
  has(websiteId: number): Promise<boolean>;
  /** The websites whose new rows go to the shards by visitor. */
  list(): Promise<readonly number[]>;
  /** Looks again at the next question. */
  forget(): void;
};

/** What is noted of a website: that it is asked about on all shards, then that it is written to all of them. */
export type DivisionMark = 'on_all_shards' | 'by_visitor';

type Marks = { asked: ReadonlySet<number>; written: readonly number[] };
/** Asks the host for names. */
type Ask = (query: string) => Promise<{ name: string }[]>;

/** A statement goes by marks that were read at most this long before it. */
export const lookEveryMs = 1_000;

const identity = 'store_identity';
const markName = /^website_(\d+)_(on_all_shards|by_visitor)$/;

/**
 * Notes something about a website for all hosts. A mark is a view, like the store's identity: every host has
 * it, so reading the marks needs no shard but the host that is asked, and two marks at once don't overwrite
 * each other.
 */
export function markSql(websiteId: number, mark: DivisionMark): string {
  return `create view if not exists website_${websiteId}_${mark} as select toUInt32(${websiteId}) as website_id`;
}

/** For a store that isn't on a cluster. */
export const noneDivided: DividedWebsites = {
  has: async () => false,
  list: async () => [],
  forget: () => {},
};

/** Reads the marks before a statement, unless that was done a moment ago. */
export function createDividedWebsites(ask: Ask): DividedWebsites {
  let known: { marks: Promise<Marks>; sinceMs: number } | undefined;

  function read(): Promise<Marks> {
    const sinceMs = performance.now();
    if (known !== undefined && sinceMs - known.sinceMs < lookEveryMs) return known.marks;
    const looked = { marks: readMarks(ask), sinceMs };
    known = looked;
    looked.marks.catch(() => {
      if (known === looked) known = undefined;
    });
    return looked.marks;
  }

  return {
    has: async (websiteId) => (await read()).asked.has(websiteId),
    list: async () => (await read()).written,
    forget: () => {
      known = undefined;
    },
  };
}

async function readMarks(ask: Ask): Promise<Marks> {
  const rows = await ask(`
    select name from system.tables
    where database = '${databaseName}' and (name = '${identity}' or startsWith(name, 'website_'))`);
  // A host that was replaced may not have its views yet. Without them, it would ask too few shards.
  if (!rows.some(({ name }) => name === identity))
    throw new Error(`expected the host to have the view ${databaseName}.${identity}, got none`);
  const names = rows.map(({ name }) => name);
  return { asked: new Set(marked(names)), written: dividedAmong(names) };
}

/** Finds the websites whose new rows go to all shards, by the names of the views that a host has. */
export function dividedAmong(names: readonly string[]): number[] {
  return marked(names, 'by_visitor').toSorted((one, other) => one - other);
}

function marked(names: readonly string[], wanted?: DivisionMark): number[] {
  return names.flatMap((name) => {
    const [, websiteId, mark] = markName.exec(name) ?? [];
    return websiteId === undefined || (wanted !== undefined && mark !== wanted) ? [] : [Number(websiteId)];
  });
}
