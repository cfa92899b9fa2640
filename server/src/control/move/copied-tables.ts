import type { Tables } from '../database/tables.ts';

/**
 * Which tables belong to an installation, and which only describe a database. The order is that of their
 * references: a row comes after those that it refers to.
 */
const isCopied = {
  migrations: false,
  control_state: true,
  users: true,
  websites: true,
  api_keys: true,
  sessions: true,
  grants: true,
  sign_in_failures: true,
  audit_log: true,
  erasures: true,
  erased_visits: true,
  read_tokens: true,
  notes: true,
  funnels: true,
  segments: true,
  goals: true,
  salts: true,
  usage: true,
  usage_positions: true,
  tallies: true,
  tally_refusals: true,
  tally_streams: true,
  tally_stream_ends: true,
  tally_keys: true,
  tally_checkpoints: true,
  // A backup from before the move may still be restored, so erasures are noted beside it.
  backup_places: true,
  // These are about servers that run at the moment.
  nodes: false,
  told_times: false,
  wanted_builds: false,
  key_holders: false,
  left_keys: false,
} satisfies Record<keyof Tables, boolean>;

const tables = Object.keys(isCopied) as (keyof Tables)[];

export const copiedTables = tables.filter((table) => isCopied[table]);

/** What is removed before an installation is copied into a database, in that order. */
export const clearedTables = tables.filter((table) => table !== 'migrations').reverse();
