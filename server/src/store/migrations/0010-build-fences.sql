-- The nodes that have become the owner of builds, where several share this store. A statement of an earlier
-- owner that comes late sees a higher number here, and writes nothing. On a cluster, `number` selects the shard:
-- with one for all rows, no other shard is needed.
create table if not exists build_fences
(
    fence UInt64,
    node String,
    at DateTime64(3, 'UTC') default now64(3),
    number UInt8 default 0
)
engine = MergeTree
order by fence
settings fsync_after_insert = 1, fsync_part_directory = 1;
