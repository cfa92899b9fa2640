-- The device of a visit; 0 where the visitor is the device. Only days that still change need it: what some
-- devices did on such a day can be replaced without building the day as a whole.
alter table closed_visits add column if not exists device_id UInt64;
alter table open_visits add column if not exists device_id UInt64;
alter table visits add column if not exists device_id UInt64;

-- The numbers of a change are differences, which can be negative.
alter table open_rollups
    modify column visitors Int32,
    modify column visits Int32,
    modify column page_views Int32,
    modify column events Int32,
    modify column bounces Int32,
    modify column duration_ms Int64;

alter table rollups
    modify column visitors Int64,
    modify column visits Int64,
    modify column page_views Int64,
    modify column events Int64,
    modify column bounces Int64,
    modify column duration_ms Int64;

-- The build that a change belongs to. A build with changes names itself here; one that can have none has 0.
-- The other columns tell about the base alone, because those without base_ tell about the base with the change.
alter table day_builds
    add column if not exists base UInt64,
    add column if not exists base_records UInt64,
    add column if not exists base_checksum UInt64,
    add column if not exists base_clients UInt64,
    add column if not exists base_as_of DateTime64(3, 'UTC');
