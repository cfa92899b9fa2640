-- How many milliseconds before its arrival a record happened, for one that had to wait at its sender.
alter table records add column if not exists waited_ms UInt32 codec(T64, Default) after received_order;
