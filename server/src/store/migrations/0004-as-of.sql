-- Everything that was received by this time is in the build. Earlier versions noted when the build began.
alter table day_builds add column if not exists as_of DateTime64(3, 'UTC') default built_at;
