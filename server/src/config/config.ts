/** Everything that can be set from outside. */
export type Config = {
  host: string;
  port: number;
  dataDir: string;
  secretKeyFile: string;
  /** The URL of PostgreSQL as the control database, with its password. SQLite if it is undefined. */
  databaseUrl: string | undefined;
  logLevel: string;
  metricsToken: string | undefined;
  trustedProxies: number;
  /** The email of the first user, who is added if there is no user yet. */
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  /** The read token of the website that `trackside mcp` answers about. */
  readToken: string | undefined;
  journalMaxBytes: number;
  journalRetentionHours: number;
  /** How many hours later than it happened a record may come. */
  lateHours: number;
  minFreeBytes: number;
  engineMaxMemoryBytes: number;
  /** The addresses of a ClickHouse outside, separated by commas. Without any, the server runs an engine. */
  clickhouseUrl: string | undefined;
  clickhouseUser: string | undefined;
  clickhousePassword: string | undefined;
  /** The file with the certificates that sign those of ClickHouse's hosts. */
  clickhouseCaFile: string | undefined;
  /** The cluster that the tables are made on. Without one, each host has all rows. */
  clickhouseCluster: string | undefined;
  /** How many replicas of a shard must have written an INSERT: a number, or `auto` for the majority. */
  clickhouseQuorum: string;
  /** Where `trackside engine` listens, and who may use it. */
  engineHost: string;
  enginePort: number;
  engineUser: string;
  enginePassword: string | undefined;
  /** How many processes take records. */
  workers: number;
  /** Where other servers on the same store reach this one. */
  nodeAddress: { host: string; port: number } | undefined;
  /** How to reach the buckets that backups are kept in. Without an endpoint, they are Amazon's. */
  s3Endpoint: string | undefined;
  s3Region: string;
  s3AccessKeyId: string | undefined;
  s3SecretAccessKey: string | undefined;
  /**
   * An engine with `idle` runs only while nothing else on the machine wants the processor. With `auto`, it does so
   * until that is too little.
   */
  enginePriority: 'auto' | 'low' | 'idle';
  /** What a 200 means: the record is on this server's disk, or it is in the store. */
  ack: 'disk' | 'store';
};
