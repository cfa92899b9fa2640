-- The rules by which the records of a day were placed in visits. The plain ones have no name, and builds from
-- before there were others were made by them. A build by other rules than those of today still counts, and is
-- replaced when there is time.
alter table day_builds add column if not exists rules String after built_at;
