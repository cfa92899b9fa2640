import { type KnownSource, knownSources } from './known-sources.ts';

export type SourceFinder = {
  /** Finds a source by the host of a referrer, in lower case and without `www.`. */
  byHost(host: string): KnownSource | undefined;
  /** Finds a source by an Android package. */
  byApp(packageName: string): KnownSource | undefined;
  /** Finds a source by the value of utm_source, `source` or `ref`. */
  byTag(tag: string): KnownSource | undefined;
  byName(name: string): KnownSource | undefined;
};

const countryEnding = /\.(?:(?:com?|org|net)\.)?[a-z]{2,3}$/;
const adSuffix = /[-_. ]?ads$/;
const hostInTag = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)(?:[/:?#]|$)/;

/** Builds the lookup tables of the known sources. */
export function createSourceFinder(): SourceFinder {
  const hosts = new Map<string, KnownSource>();
  const anyCountry = new Map<string, KnownSource>();
  const apps = new Map<string, KnownSource>();
  const tags = new Map<string, KnownSource>();
  const names = new Map<string, KnownSource>();

  for (const source of knownSources) {
    names.set(source.name, source);
    tags.set(source.name.toLowerCase(), source);
    for (const alias of source.aliases ?? []) tags.set(alias, source);
    for (const app of source.apps ?? []) apps.set(app, source);
    for (const host of source.hosts) {
      if (host.endsWith('.*')) anyCountry.set(host.slice(0, -2), source);
      else hosts.set(host, source);
    }
  }

  function byHost(host: string): KnownSource | undefined {
    // Tries the whole host, then shorter and shorter parents. No real host has more labels than this.
    let candidate = host;
    for (let labels = 0; labels < 8; labels += 1) {
      const source = hosts.get(candidate) ?? anyCountry.get(candidate.replace(countryEnding, ''));
      if (source !== undefined) return source;
      const dot = candidate.indexOf('.');
      if (dot === -1) return undefined;
      candidate = candidate.slice(dot + 1);
    }
    return undefined;
  }

  function byTag(tag: string): KnownSource | undefined {
    const text = tag.toLowerCase();
    const known = tags.get(text) ?? tags.get(text.replace(adSuffix, ''));
    if (known !== undefined) return known;
    const host = hostInTag.exec(text)?.[1];
    return host === undefined ? undefined : byHost(host);
  }

  return { byHost, byTag, byApp: (name) => apps.get(name), byName: (name) => names.get(name) };
}
