import { adminPasswordVariable } from './variables.ts';

export type Setting = { flag: string; variable: string; fallback: string | undefined; help: string };

const setting = (flag: string, fallback: string | undefined, help: string): Setting => ({
  flag,
  variable: `TRACKSIDE_${flag.replaceAll('-', '_').toUpperCase()}`,
  fallback,
  help,
});

export const settings = {
  host: setting('host', '127.0.0.1', 'address to listen on'),
  port: setting('port', '8080', 'port to listen on; 0 picks a free one'),
  dataDir: setting('data-dir', './data', 'folder for all data'),
  secretKeyFile: setting(
    'secret-key-file',
    undefined,
    'key file for stored secrets (default: DATA_DIR/secret.key)',
  ),
  logLevel: setting('log-level', 'info', 'debug, info, warn or error'),
  metricsToken: setting('metrics-token', undefined, 'bearer token that lets other machines read /metrics'),
  trustedProxies: setting(
    'trusted-proxies',
    '0',
    'number of proxies in front whose X-Forwarded-For is trusted when someone signs in',
  ),
  adminEmail: setting(
    'admin-email',
    undefined,
    `creates this admin if there are no users, with the password in ${adminPasswordVariable}`,
  ),
  journalMaxBytes: setting('journal-max-bytes', '20GB', 'records are refused while the journal is larger'),
  journalRetentionHours: setting(
    'journal-retention-hours',
    '6',
    'how long loaded records stay in the journal',
  ),
  lateHours: setting(
    'late-hours',
    '25',
    'how many hours after it happened a record may arrive; salts of past days are kept for as long',
  ),
  minFreeBytes: setting('min-free-bytes', '512MB', 'records are refused while less disk space is free'),
  engineMaxMemoryBytes: setting(
    'engine-max-memory-bytes',
    '2GB',
    'the engine is restarted when it uses more',
  ),
  enginePriority: setting(
    'engine-priority',
    'auto',
    'low, idle for an engine that runs only while no other program wants the processor (Linux), or auto for idle until ' +
      'that is too little',
  ),
  ack: setting(
    'ack',
    'disk',
    'when a record is answered: once it is on the disk, or only once the store has it (disk or store)',
  ),
  nodeAddress: setting(
    'node-address',
    undefined,
    'where other servers on the same store reach this one, such as 10.0.0.5:8081 (default: --host, a free port)',
  ),
  workers: setting(
    'workers',
    '1',
    'processes that take records; auto uses all processors but one, which is left to the engine',
  ),
} as const satisfies Record<string, Setting>;

/** The settings of `trackside engine` alone. They have the flags of `serve`, but variables of their own. */
export const engineSettings = {
  host: { ...settings.host, variable: 'TRACKSIDE_ENGINE_HOST' },
  port: { flag: 'port', variable: 'TRACKSIDE_ENGINE_PORT', fallback: '8123', help: 'port to listen on' },
} as const satisfies Record<string, Setting>;
