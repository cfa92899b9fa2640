import { createPublicTest } from '../visitor/networks.ts';
import { readAddress } from '../visitor/read-address.ts';
import type { LocationSource } from './location-source.ts';
import { readMmdbRecord } from './read-mmdb-record.ts';

export type { LocationSource } from './location-source.ts';

export type MaxMindOptions = {
  /** The language of city and region names, if the database has it: 'de', 'pt-BR'. English by default. */
  language?: string;
  /** Switches to a newer file without a restart. */
  reload?: boolean | { intervalMs: number };
  /** Called when a newer file cannot be read. The previous one stays in use. */
  onError?: (fault: unknown) => void;
};

/**
 * The part of the package `maxmind` that we use. Its types are missing for programs that do not install it.
 */
type MaxMind = { open(file: string): Promise<MmdbReader> };
type MmdbReader = { get(address: string): unknown; metadata: { ipVersion: number; databaseType: string } };

const reloadIntervalMs = 5000;

/** Looks visitors up in a database file such as GeoLite2-City.mmdb. Needs the package `maxmind`. */
export async function openMaxMind(file: string, options: MaxMindOptions = {}): Promise<LocationSource> {
  const { language = 'en', reload = false, onError } = options;
  const maxmind = await importMaxMind();
  const isPublic = createPublicTest();
  let reader = await openReader(maxmind, file);

  if (reload !== false) {
    const intervalMs = reload === true ? reloadIntervalMs : reload.intervalMs;
    await watchFile(file, intervalMs, async () => {
      try {
        reader = await openReader(maxmind, file);
      } catch (fault) {
        onError?.(fault);
      }
    });
  }

  return (_request, ip) => {
    const address = readAddress(ip);
    if (address === undefined || !isPublic(address)) return undefined;
    // In a database with only IPv4, the package reads the start of an IPv6 address as IPv4.
    if (reader.metadata.ipVersion === 4 && address.includes(':')) return undefined;
    return readMmdbRecord(reader.get(address), language);
  };
}

async function importMaxMind(): Promise<MaxMind> {
  try {
    const module: MaxMind & { default?: MaxMind } = await import('maxmind');
    return module.open === undefined && module.default !== undefined ? module.default : module;
  } catch (cause) {
    throw new Error('openMaxMind: expected the package maxmind to be installed: npm install maxmind', {
      cause,
    });
  }
}

async function openReader(maxmind: MaxMind, file: string): Promise<MmdbReader> {
  let reader: MmdbReader;
  try {
    reader = await maxmind.open(file);
  } catch (cause) {
    throw new Error(`openMaxMind: expected a MaxMind database at ${file}, ${describeFault(cause)}`, {
      cause,
    });
  }
  const { databaseType } = reader.metadata;
  if (/ASN|ISP|Domain|Connection-Type|Anonymous/.test(databaseType)) {
    throw new Error(
      `openMaxMind: expected a database of locations at ${file}, got ${databaseType}: ` +
        'use a City or Country database',
    );
  }
  return reader;
}

function describeFault(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'but there is no such file: download GeoLite2-City.mmdb, or correct the path';
  if (code === 'EACCES') return 'but this process is not allowed to read it';
  if (code === 'EISDIR') return 'got a folder: use the path of the .mmdb file in it';
  if (/gzip/.test(message)) return 'got a compressed file: unpack it first';
  return `got something else or an incomplete file: download it again (${message})`;
}

/**
 * Watches a file. The package's own watch keeps the process running, and ends it when it finds a file that is
 * only half copied. This one lets a process end that does nothing else.
 */
async function watchFile(file: string, intervalMs: number, onChange: () => void): Promise<void> {
  const fs = await import('node:fs');
  fs.watchFile(file, { interval: intervalMs, persistent: false }, (now, before) => {
    const isThere = now.mtimeMs !== 0;
    if (isThere && (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino))
      onChange();
  });
}
