import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MemoryShares, serverConfigXml, sessionSettings } from './chdb-config.ts';
import { HeldSession } from './held-session.ts';
import { isStagedFile } from './insert-rows.ts';
import type { TableColumns } from './table-columns.ts';

export type OpenSessionsOptions = {
  folder: string;
  count: number;
  memory: MemoryShares;
  tables: TableColumns;
};

export type OpenSessions = {
  sessions: HeldSession[];
  /** The number of parts that chDB found damaged and set aside while it opened the store. */
  brokenParts: number;
};

/**
 * Loads chDB and opens the store. Throws when the store can't be opened, after the reason was written to
 * stderr.
 */
export async function openSessions(options: OpenSessionsOptions): Promise<OpenSessions> {
  const { folder, count, memory, tables } = options;
  const ownFolder = `${folder}.run`;
  const configPath = enterOwnFolder(ownFolder, serverConfigXml(memory));
  const { Session } = await import('chdb');
  const connectionArgs = [
    `--config-file=${configPath}`,
    // If a table can't be loaded, that must show now and not in the middle of a later query.
    '--async_load_databases=0',
  ];
  const baseline = sessionSettings(memory);
  const sessions: HeldSession[] = [];
  for (let opened = 0; opened < count; opened++) {
    sessions.push(
      await HeldSession.open(new Session(folder, { connectionArgs }), { baseline, ownFolder, tables }),
    );
  }
  return { sessions, brokenParts: await countBrokenParts(sessions[0]!) };
}

/** chDB takes a config.xml in the working folder for its own, so it gets a folder that only we write to. */
function enterOwnFolder(ownFolder: string, configXml: string): string {
  mkdirSync(ownFolder, { recursive: true });
  // An engine that was killed leaves the rows that it was inserting.
  for (const name of readdirSync(ownFolder).filter(isStagedFile)) rmSync(join(ownFolder, name));
  const configPath = join(ownFolder, 'config.xml');
  writeFileSync(configPath, configXml);
  process.chdir(ownFolder);
  return configPath;
}

async function countBrokenParts(session: HeldSession): Promise<number> {
  const result = await session.run({
    sql: `select count() from system.detached_parts where startsWith(reason, 'broken')`,
    format: 'TabSeparated',
    database: 'default',
    params: new Map(),
    settings: new Map(),
  });
  return Number(result.text());
}
