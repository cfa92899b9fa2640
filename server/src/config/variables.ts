/** The names of environment variables that have no flag and are needed in several places. */
export const adminPasswordVariable = 'TRACKSIDE_ADMIN_PASSWORD';
export const readTokenVariable = 'TRACKSIDE_READ_TOKEN';
export const engineUserVariable = 'TRACKSIDE_ENGINE_USER';
export const clickhouseUserVariable = 'TRACKSIDE_CLICKHOUSE_USER';
export const clickhouseCaFileVariable = 'TRACKSIDE_CLICKHOUSE_CA_FILE';
export const clickhouseClusterVariable = 'TRACKSIDE_CLICKHOUSE_CLUSTER';
export const clickhouseQuorumVariable = 'TRACKSIDE_CLICKHOUSE_QUORUM';
export const s3EndpointVariable = 'TRACKSIDE_S3_ENDPOINT';
export const s3RegionVariable = 'TRACKSIDE_S3_REGION';
