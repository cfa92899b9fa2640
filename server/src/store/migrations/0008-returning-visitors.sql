-- Visitors with a ClientId who were there before, under the name of the dimension and "again": how many had
-- the value on the day and last had it on an earlier one. With these, the visitors of several days are the
-- sum of those of each day, less those who were counted on an earlier one.
--
-- A look back finds them, and its number tells rows of a look that was not completed from others. Which builds
-- it has seen is in rows of the dimension "look", written last.
alter table closed_rollups
    add column if not exists last_day Date,
    add column if not exists look UInt64;

alter table open_rollups
    add column if not exists last_day Date,
    add column if not exists look UInt64;

alter table rollups
    add column if not exists last_day Date,
    add column if not exists look UInt64;
