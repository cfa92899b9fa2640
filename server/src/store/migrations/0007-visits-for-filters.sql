-- Whether a visitor has no ClientId and no other visit on that day. These visitors are counted by their visits.
-- Visits of earlier versions don't tell, which is right too, but takes longer to count.
alter table closed_visits add column if not exists is_single Bool after has_client_id;

alter table open_visits add column if not exists is_single Bool after has_client_id;

-- The visits of days that have ended. They are in the order of what people filter by most, so a filter reads
-- few of them. Earlier versions wrote closed_visits, which keeps what they wrote until its days are built again.
create table if not exists ended_visits as closed_visits
engine = MergeTree
partition by toYYYYMM(day)
order by (website_id, day, device, country, channel, source, visitor_id, started_at)
settings
    default_compression_codec = 'ZSTD(1)',
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1;

drop table if exists visits;

create table if not exists visits as ended_visits
engine = Merge(currentDatabase(), '^(ended|closed|open)_visits$');
