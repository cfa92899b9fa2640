-- What most questions read, in formats that take a third of the time to unpack, and hardly more space. Visits of
-- earlier versions get them when they are merged or when their day is built again.
alter table ended_visits
    modify column duration_ms codec(T64, LZ4),
    modify column page_views codec(T64, LZ4),
    modify column events codec(T64, LZ4),
    modify column entry_page codec(LZ4),
    modify column exit_page codec(LZ4),
    modify column city codec(LZ4),
    modify column browser codec(LZ4),
    modify column os codec(LZ4),
    modify column is_event codec(LZ4),
    modify column path codec(LZ4),
    modify column event_name codec(LZ4);

alter table open_visits
    modify column duration_ms codec(T64, LZ4),
    modify column page_views codec(T64, LZ4),
    modify column events codec(T64, LZ4),
    modify column entry_page codec(LZ4),
    modify column exit_page codec(LZ4),
    modify column city codec(LZ4),
    modify column browser codec(LZ4),
    modify column os codec(LZ4),
    modify column is_event codec(LZ4),
    modify column path codec(LZ4),
    modify column event_name codec(LZ4);
