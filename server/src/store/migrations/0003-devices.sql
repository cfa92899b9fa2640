-- What one device did on one day. A record with a ClientId has the number of its device as well, so that the
-- visit in which somebody signs in stays together. Earlier records with a ClientId are devices of their own.
alter table records add column if not exists device_id UInt64 default visitor_id after parameter_values;

-- The place of a record among those that its node received in the same millisecond.
alter table records add column if not exists received_order UInt16 codec(T64, Default) after device_id;
