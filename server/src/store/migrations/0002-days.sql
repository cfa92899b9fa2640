-- The number of records that a website has on a day. The store itself keeps it in every part, and it shows
-- which days have changed.
alter table records add projection if not exists by_day
(
    select website_id, day, count(), sum(visitor_id) group by website_id, day
);

alter table records materialize projection by_day;

-- One row for each visit of people, with its records beside each other. A day is written as a whole, under
-- the number of its build, and day_builds says which build counts. Days that still change are in tables where
-- a build is a partition, which can be dropped at once.
create table if not exists closed_visits
(
    website_id UInt32 codec(Delta, Default),
    day Date codec(Delta, Default),
    build UInt64 codec(Delta, Default),
    visitor_id UInt64,
    has_client_id Bool,
    -- Wall-clock time at the website, as in records.
    started_at DateTime('UTC') codec(Delta, Default),
    duration_ms UInt32,
    page_views UInt32,
    events UInt32,
    entry_page LowCardinality(String),
    exit_page LowCardinality(String),
    -- What the visit's first record says.
    referrer String,
    source LowCardinality(String),
    channel LowCardinality(String),
    utm_source LowCardinality(String),
    utm_medium LowCardinality(String),
    utm_campaign LowCardinality(String),
    utm_term LowCardinality(String),
    utm_content LowCardinality(String),
    continent LowCardinality(String),
    country LowCardinality(String),
    region LowCardinality(String),
    region_code LowCardinality(String),
    city LowCardinality(String),
    postal_code String,
    timezone LowCardinality(String),
    language LowCardinality(String),
    browser LowCardinality(String),
    browser_version LowCardinality(String),
    os LowCardinality(String),
    os_version LowCardinality(String),
    device LowCardinality(String),
    screen_width UInt32,
    screen_height UInt32,
    -- The visit's records, in their order.
    at Array(DateTime('UTC')),
    is_event Array(Bool),
    host Array(LowCardinality(String)),
    path Array(LowCardinality(String)),
    query Array(String),
    event_name Array(LowCardinality(String)),
    parameter_names Array(Array(LowCardinality(String))),
    parameter_values Array(Array(String))
)
engine = MergeTree
partition by toYYYYMM(day)
order by (website_id, day, visitor_id, started_at)
settings
    default_compression_codec = 'ZSTD(1)',
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

create table if not exists open_visits as closed_visits
engine = MergeTree
partition by (website_id, build)
order by (website_id, day, visitor_id, started_at)
settings
    default_compression_codec = 'ZSTD(1)',
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

create table if not exists visits as closed_visits
engine = Merge(currentDatabase(), '^(closed|open)_visits$');

-- The numbers of a day for each value of a dimension. They add up over days, except for visitors with a
-- ClientId, who are recognized on other days too: for the day as a whole, the set of them is kept. The format
-- is quick to read rather than small, because these numbers are the first thing that everybody asks for.
create table if not exists closed_rollups
(
    website_id UInt32 codec(Delta, Default),
    day Date codec(Delta, Default),
    build UInt64 codec(Delta, Default),
    dimension LowCardinality(String),
    value String,
    visitors UInt32,
    visits UInt32,
    page_views UInt32,
    events UInt32,
    bounces UInt32,
    duration_ms UInt64,
    clients AggregateFunction(uniqExact, UInt64)
)
engine = MergeTree
partition by toYYYYMM(day)
order by (website_id, dimension, day, value)
settings
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

create table if not exists open_rollups as closed_rollups
engine = MergeTree
partition by (website_id, build)
order by (website_id, dimension, day, value)
settings
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

create table if not exists rollups as closed_rollups
engine = Merge(currentDatabase(), '^(closed|open)_rollups$');

-- The build of a day that counts, and the records that it was made from.
create table if not exists day_builds
(
    website_id UInt32,
    day Date,
    build UInt64,
    is_open Bool,
    records UInt64,
    checksum UInt64,
    clients UInt64,
    built_at DateTime64(3, 'UTC')
)
engine = ReplacingMergeTree(build)
order by (website_id, day)
settings fsync_after_insert = 1, fsync_part_directory = 1;
