import type { Language } from '@trackside/contract/app/languages.ts';
import type { Generated } from 'kysely';

/** The tables as the newest migration leaves them. Times are milliseconds since 1970, UTC. */
export type Tables = {
  migrations: { number: number; name: string; applied_at: number };
  /** A single row. It holds what must change together with websites, keys and contingents. */
  control_state: {
    id: number;
    revision: number;
    last_website_id: number;
    /** The IDs of websites that an older copy of this database doesn't know, as JSON. */
    lost_websites: Generated<string>;
    key_check: Uint8Array | null;
    last_read_token_id: number;
    last_user_id: number;
    last_audit_id: number;
    last_note_id: number;
    last_funnel_id: number;
    last_segment_id: Generated<number>;
    last_goal_id: Generated<number>;
    /** The hash of the token in the link that creates the first user. */
    setup_token_hash: string | null;
    /** Which of the nodes that share a store does what only one may do. */
    owner_node: string | null;
    /** Grows with every owner. */
    owner_fence: Generated<number>;
    /** By the database's clock. */
    owner_renewed_at: Generated<number>;
    /** What was answered to be complete before a node came that had older records. */
    complete_to: Generated<number>;
    /** Where the installation was moved to, in words. Nobody may use this database anymore then. */
    moved_to: Generated<string | null>;
  };
  websites: {
    id: number;
    domain: string;
    timezone: string;
    contingent: number | null;
    client_id_key_encrypted: Uint8Array;
    created_at: number;
    name: Generated<string>;
    /**
     * Grows with every change of the settings, so that nobody overwrites what someone else has just changed.
     */
    version: Generated<number>;
    /** Null means forever. */
    retention_days: number | null;
    share_token_hash: string | null;
    share_token_encrypted: Uint8Array | null;
    deleting_since: number | null;
    /** Which addresses are one page: 1 or 0. */
    ignore_trailing_slash: Generated<number>;
    ignore_case: Generated<number>;
    ignore_www: Generated<number>;
    /** A list in JSON. */
    read_origins: Generated<string>;
    exclusions: Generated<string>;
  };
  api_keys: {
    key_hash: string;
    website_id: number;
    key_encrypted: Uint8Array;
    created_at: number;
    /** Set for a key that was replaced and still works for a while. */
    expires_at: number | null;
    last_used_at: number | null;
  };
  users: {
    id: number;
    email: string;
    password_hash: string;
    role: 'admin' | 'viewer';
    created_at: number;
    last_sign_in_at: number | null;
    /** Null means that of the browser. */
    language: Language | null;
  };
  sessions: {
    token_hash: string;
    user_id: number;
    created_at: number;
    last_used_at: number;
    expires_at: number;
    /** What it was started on, such as "Firefox on Linux". Null if that isn't known. */
    device: string | null;
  };
  /** Websites that a viewer may see. */
  grants: { user_id: number; website_id: number };
  sign_in_failures: { subject: string; failures: number; last_at: number };
  audit_log: {
    id: number;
    at: number;
    /** An email address, or the name of another actor. */
    actor: string;
    action: string;
    website_id: number | null;
    /** What it was done to, in words: a domain or an email address. */
    subject: string;
    /** JSON. */
    detail: string;
  };
  erasures: {
    website_id: number;
    visitor_id: string;
    received_before: number;
    /**
     * Records from before this moment are no longer loaded. Null until the visits of the person are written
     * down.
     */
    applied_before: number | null;
    /** Null until the records are gone. */
    finished_at: number | null;
    /** How many records there were. */
    records: number | null;
  };
  /** The visits of erased people, with what they did before they signed in. */
  erased_visits: {
    website_id: number;
    visitor_id: string;
    device_id: string;
    received_from: number;
    /** Not included. */
    received_until: number;
  };
  read_tokens: {
    id: number;
    website_id: number;
    name: string;
    token_hash: string;
    created_at: number;
    last_used_at: number | null;
  };
  notes: {
    id: number;
    website_id: number;
    /** A day of the website's calendar, such as 2026-11-03. */
    day: string;
    text: string;
    author: string;
    created_at: number;
  };
  funnels: {
    id: number;
    website_id: number;
    name: string;
    /** JSON. */
    steps: string;
    /** Null means within one visit. */
    within_days: number | null;
    created_at: number;
    /** Lower ones come first. */
    position: number;
  };
  segments: {
    id: number;
    website_id: number;
    /** Null for one that everybody at the website sees. */
    user_id: number | null;
    name: string;
    /** JSON. */
    filters: string;
    created_at: number;
  };
  goals: {
    id: number;
    website_id: number;
    /** Null means that it is called by its page or event. */
    name: string | null;
    kind: 'page' | 'event';
    /** The path, which may have asterisks, or the name of the event. */
    target: string;
    created_at: number;
  };
  salts: { date: string; salt: Uint8Array; observed_after_end_ms: number };
  usage: {
    website_id: number;
    month: string;
    node: string;
    settled: number;
    /** What the node may accept. At least `settled`, if the website had a contingent all the time. */
    leased: Generated<number>;
  };
  usage_positions: { node: string; segment: number; position: number };
  /** What became of what was sent in an hour, of which `hour` is the start. Only its node adds to a row. */
  tallies: {
    website_id: number;
    hour: number;
    node: string;
    key: string;
    release: string;
    outcome: string;
    /** 1 or 0. */
    is_numbered: number;
    records: number;
  };
  tally_refusals: {
    website_id: number;
    hour: number;
    node: string;
    key: string;
    release: string;
    code: number;
    field: string;
    expected: string;
    got: string;
    records: number;
  };
  /** The numbers of senders that number their records, until the hour is old. */
  tally_streams: {
    website_id: number;
    stream: string;
    hour: number;
    node: string;
    key: string;
    release: string;
    arrivals: number;
    /** JSON. */
    numbers: string;
  };
  tally_stream_ends: { website_id: number; stream: string; folded_to: number; hour: number };
  /** The key of a node's records that have no note about their key. */
  tally_keys: { website_id: number; node: string; key: string };
  tally_checkpoints: { node: string; number: number };
  /** Where backups are kept, and what the last ones were. */
  backup_places: {
    place: string;
    started_at: number;
    /** Null until a backup was finished. */
    finished_at: number | null;
    records: number | null;
    bytes: number | null;
  };
  /** The nodes on PostgreSQL. */
  nodes: {
    name: string;
    address: string | null;
    /** 1 or 0. */
    shares_store: number;
    /** By the database's clock. */
    seen_at: number;
    loaded_to: number;
    known_revision: number;
    holds_from: number;
  };
  /** The nodes on PostgreSQL that may know an idempotency key. */
  key_holders: {
    name: string;
    address: string;
    seen_at: number;
    /** Since when all others know that they have to ask it. */
    known_at: number | null;
    left_at: number | null;
  };
  /** The keys of those among them that were stopped, by their hashes. */
  left_keys: { name: string; part: number; hashes: Uint8Array };
  told_times: {
    website_id: number;
    told_to: number;
  };
  /** Days that nodes want the owner to build. */
  wanted_builds: {
    id: string;
    website_id: number;
    first_day: string;
    last_day: string;
    /** By the database's clock. */
    asked_at: number;
    kind: Generated<'changed' | 'refresh' | 'all' | 'afresh'>;
  };
};
