import { resolve } from 'node:path';
import { ownKeyFile } from '../files/data-folder.ts';
import { maxLateHours } from '../records/late-limits.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { createSettingReader, type Flags, type Given } from './create-setting-reader.ts';
import { readCluster, readQuorum } from './read-cluster.ts';
import { readNodeAddress } from './read-node-address.ts';
import { readWorkers } from './read-workers.ts';
import { readSecret, secrets } from './secrets.ts';
import { engineSettings, settings } from './settings.ts';
import {
  clickhouseCaFileVariable,
  clickhouseClusterVariable,
  clickhouseQuorumVariable,
  clickhouseUserVariable,
  engineUserVariable,
  s3EndpointVariable,
  s3RegionVariable,
} from './variables.ts';

/** Reads all settings. Throws a ConfigError for the first value that is wrong. */
export function readConfig(flags: Flags, environment: NodeJS.ProcessEnv): Config {
  const { readFlag, read, whole, bytes } = createSettingReader(flags, environment);
  const dataDir = resolve(read(settings.dataDir).value!);
  const logLevel = read(settings.logLevel);
  if (!['debug', 'info', 'warn', 'error'].includes(logLevel.value!)) {
    throw new ConfigError(`${logLevel.name}: expected debug, info, warn or error, got "${logLevel.value}"`);
  }
  const keyFile = read(settings.secretKeyFile).value;
  const clickhouseUrl = readSecret(secrets.clickhouseUrl, environment);
  return {
    host: read(settings.host).value!,
    port: whole(settings.port, 0, 65_535),
    dataDir,
    secretKeyFile: keyFile === undefined ? ownKeyFile(dataDir) : resolve(keyFile),
    databaseUrl: readSecret(secrets.databaseUrl, environment),
    logLevel: logLevel.value!,
    metricsToken: readFlag(settings.metricsToken) ?? readSecret(secrets.metricsToken, environment),
    trustedProxies: whole(settings.trustedProxies, 0, 10),
    adminEmail: read(settings.adminEmail).value,
    adminPassword: readSecret(secrets.adminPassword, environment),
    readToken: readSecret(secrets.readToken, environment),
    journalMaxBytes: bytes(settings.journalMaxBytes, 100e6),
    journalRetentionHours: whole(settings.journalRetentionHours, 0, 24 * 365),
    lateHours: whole(settings.lateHours, 0, maxLateHours),
    minFreeBytes: bytes(settings.minFreeBytes, 0),
    engineMaxMemoryBytes: bytes(settings.engineMaxMemoryBytes, 600e6),
    clickhouseUrl,
    clickhouseUser: environment[clickhouseUserVariable] || undefined,
    clickhousePassword: readSecret(secrets.clickhousePassword, environment),
    clickhouseCaFile: environment[clickhouseCaFileVariable] || undefined,
    clickhouseCluster: readCluster(environment[clickhouseClusterVariable], clickhouseUrl !== undefined),
    clickhouseQuorum: readQuorum(environment[clickhouseQuorumVariable] || 'auto'),
    engineHost: read(engineSettings.host).value!,
    enginePort: whole(engineSettings.port, 0, 65_535),
    engineUser: environment[engineUserVariable] || 'default',
    enginePassword: readSecret(secrets.enginePassword, environment),
    s3Endpoint: readEndpoint(environment[s3EndpointVariable]),
    s3Region: environment[s3RegionVariable] || 'us-east-1',
    s3AccessKeyId: readSecret(secrets.s3AccessKeyId, environment),
    s3SecretAccessKey: readSecret(secrets.s3SecretAccessKey, environment),
    enginePriority: readEnginePriority(read(settings.enginePriority)),
    ack: readAck(read(settings.ack)),
    nodeAddress: readNodeAddress(read(settings.nodeAddress)),
    workers: readWorkers(read(settings.workers), clickhouseUrl !== undefined),
  };
}

function readEndpoint(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (/^https?:\/\/[^/?#]+\/*$/.test(given)) return given;
  throw new ConfigError(
    `${s3EndpointVariable}: expected a URL such as https://s3.example.com, got "${given}"`,
  );
}

function readEnginePriority({ value, name }: Given): Config['enginePriority'] {
  if (value === 'auto' || value === 'low' || value === 'idle') return value;
  throw new ConfigError(`${name}: expected auto, low or idle, got "${value}"`);
}

function readAck({ value, name }: Given): 'disk' | 'store' {
  if (value === 'disk' || value === 'store') return value;
  throw new ConfigError(`${name}: expected disk or store, got "${value}"`);
}
