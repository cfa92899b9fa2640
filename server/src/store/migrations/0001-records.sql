create table if not exists records
(
    node LowCardinality(String),
    batch UInt64 codec(T64, Default),
    day Date codec(Delta, Default),
    website_id UInt32 codec(Delta, Default),
    received_at DateTime64(3, 'UTC') codec(Delta, Default),
    -- Wall-clock time at the website; the zone only keeps the store from converting it.
    local_at DateTime('UTC') codec(Delta, Default),
    kind Enum8('page_view' = 1, 'event' = 2),
    visitor_id UInt64,
    has_client_id Bool,
    host LowCardinality(String),
    path String,
    query String,
    utm_source LowCardinality(String),
    utm_medium LowCardinality(String),
    utm_campaign LowCardinality(String),
    utm_term LowCardinality(String),
    utm_content LowCardinality(String),
    referrer String,
    referrer_host LowCardinality(String),
    source LowCardinality(String),
    channel LowCardinality(String),
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
    is_bot Bool,
    bot LowCardinality(String),
    screen_width UInt32,
    screen_height UInt32,
    event_name LowCardinality(String),
    parameter_names Array(LowCardinality(String)),
    parameter_values Array(String)
)
engine = MergeTree
partition by toYYYYMM(day)
order by (website_id, day, visitor_id, received_at)
settings
    default_compression_codec = 'ZSTD(1)',
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;
