/** The tables as the newest migration leaves them. Times are milliseconds since 1970, UTC. */
export type Tables = {
  migrations: { number: number; name: string; applied_at: number };
  /** One row. Holds what must change together with websites, keys and contingents. */
  control_state: {
    id: number;
    revision: number;
    last_website_id: number;
    key_check: Uint8Array | null;
    last_read_token_id: number;
  };
  websites: {
    id: number;
    domain: string;
    timezone: string;
    contingent: number | null;
    client_id_key_encrypted: Uint8Array;
    created_at: number;
  };
  api_keys: { key_hash: string; website_id: number; key_encrypted: Uint8Array; created_at: number };
  read_tokens: {
    id: number;
    website_id: number;
    name: string;
    token_hash: string;
    created_at: number;
    last_used_at: number | null;
  };
  salts: { date: string; salt: Uint8Array; observed_after_end_ms: number };
  usage: { website_id: number; month: string; node: string; settled: number };
  usage_positions: { node: string; segment: number; position: number };
};
