-- Days that still change get a base and a change: what some devices did is replaced without building the day
-- as a whole. Their tables are created anew, so these days are built again.
alter table day_builds delete where is_open settings mutations_sync = 2;

-- The device of a visit; 0 where the visitor is the device. Days that have ended don't need it.
alter table closed_visits add column if not exists device_id UInt64;
alter table visits add column if not exists device_id UInt64;

drop table if exists open_visits sync;

-- A change reads the visits of a few visitors. With small granules, it reads little else.
create table if not exists open_visits as closed_visits
engine = MergeTree
partition by (website_id, build)
order by (website_id, day, visitor_id, started_at)
settings
    index_granularity = 512,
    default_compression_codec = 'ZSTD(1)',
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

drop table if exists open_rollups sync;

-- The numbers of a change are differences, which can be negative.
create table if not exists open_rollups
(
    website_id UInt32 codec(Delta, Default),
    day Date codec(Delta, Default),
    build UInt64 codec(Delta, Default),
    dimension LowCardinality(String),
    value String,
    visitors Int32,
    visits Int32,
    page_views Int32,
    events Int32,
    bounces Int32,
    duration_ms Int64,
    clients AggregateFunction(uniqExact, UInt64)
)
engine = MergeTree
partition by (website_id, build)
order by (website_id, dimension, day, value)
settings
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

alter table rollups
    modify column visitors Int64,
    modify column visits Int64,
    modify column page_views Int64,
    modify column events Int64,
    modify column bounces Int64,
    modify column duration_ms Int64;

-- The build that a change belongs to. A build that can have changes names itself here, one that can't has 0.
-- What the other columns say of a day with a change, these say of its base alone.
alter table day_builds
    add column if not exists base UInt64,
    add column if not exists base_records UInt64,
    add column if not exists base_checksum UInt64,
    add column if not exists base_clients UInt64,
    add column if not exists base_as_of DateTime64(3, 'UTC');
