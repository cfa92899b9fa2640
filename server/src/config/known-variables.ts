import { secrets } from './secrets.ts';
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

/** The names of all environment variables that mean something. */
export const knownVariables: readonly string[] = [
  ...new Set([
    ...Object.values(settings).map(({ variable }) => variable),
    ...Object.values(engineSettings).map(({ variable }) => variable),
    engineUserVariable,
    clickhouseUserVariable,
    clickhouseCaFileVariable,
    clickhouseClusterVariable,
    clickhouseQuorumVariable,
    s3EndpointVariable,
    s3RegionVariable,
    ...Object.values(secrets).flatMap(({ variable, fileVariable }) => [variable, fileVariable]),
  ]),
  // Make the tests longer, and run those of control on PostgreSQL and those of the store outside.
  'TRACKSIDE_LONG_TESTS',
  'TRACKSIDE_TEST_DATABASE',
  'TRACKSIDE_TEST_STORE',
];
