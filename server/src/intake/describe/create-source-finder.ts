import { type KnownSource, knownSources } from './known-sources.ts';

export type FoundSource = Pick<KnownSource, 'name' | 'kind'>;

export type SourceFinder = {
  /** Finds a source by the host of a referrer, in lowercase and without `www.`. */
  byHost(host: string): FoundSource | undefined;
  /** Finds a source by an Android package, an iOS bundle id or an id of the App Store. */
  byApp(id: string): FoundSource | undefined;
  /** Finds a source by the value of utm_source, `source` or `ref`. */
  byTag(tag: string): FoundSource | undefined;
  byName(name: string): FoundSource | undefined;
};

const countryEnding = /\.(?:(?:com?|org|net)\.)?[a-z]{2,3}$/;
const adSuffix = /[-_. ]?ads$/;
const hostInTag = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)(?:[/:?#]|$)/;

/** Builds the lookup tables of the known sources. */
export function createSourceFinder(): SourceFinder {
  const hosts = createHostTable();
  const exactHosts = createHostTable();
  const apps = new Map<string, KnownSource>();
  const tags = new Map<string, KnownSource>();
  const names = new Map<string, KnownSource>();

  for (const source of knownSources) {
    // Two sources can share a name: WEB.DE is a search engine and a mailbox. By name, the mailbox is meant.
    names.set(source.name, source);
    tags.set(source.name.toLowerCase(), source);
    for (const alias of source.aliases ?? []) tags.set(alias, source);
    for (const app of source.apps ?? []) apps.set(app, source);
    for (const host of source.hosts ?? []) hosts.add(host, source);
    for (const host of source.exactHosts ?? []) exactHosts.add(host, source);
  }

  function byHost(host: string): FoundSource | undefined {
    const whole = exactHosts.get(host) ?? apps.get(host);
    if (whole !== undefined) return whole;
    // Tries the whole host, then shorter and shorter parents. No real host has more labels than this.
    let candidate = host;
    for (let labels = 0; labels < 8; labels += 1) {
      const source = hosts.get(candidate);
      if (source !== undefined) return source;
      if (exactHosts.get(candidate) !== undefined) return { name: host, kind: 'site' };
      const dot = candidate.indexOf('.');
      if (dot === -1) return undefined;
      candidate = candidate.slice(dot + 1);
    }
    return undefined;
  }

  function byTag(tag: string): FoundSource | undefined {
    const text = tag.toLowerCase();
    const known = tags.get(text) ?? tags.get(text.replace(adSuffix, ''));
    if (known !== undefined) return known;
    const host = hostInTag.exec(text)?.[1];
    return host === undefined ? undefined : byHost(host);
  }

  return { byHost, byTag, byApp: (id) => apps.get(id), byName: (name) => names.get(name) };
}

/** A table of hosts, of which some stand for a name under every country's ending. */
function createHostTable() {
  const hosts = new Map<string, KnownSource>();
  const anyCountry = new Map<string, KnownSource>();
  return {
    add(host: string, source: KnownSource): void {
      if (host.endsWith('.*')) anyCountry.set(host.slice(0, -2), source);
      else hosts.set(host, source);
    },
    get: (host: string) => hosts.get(host) ?? anyCountry.get(host.replace(countryEnding, '')),
  };
}
