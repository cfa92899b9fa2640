-- A few visitors are looked for among the visits of all days: those of a change, to find the difference that it
-- makes. The index tells which granules have none of them. Visits of earlier versions get it when they are
-- merged or when their day is built again; until then they are read as before.
alter table ended_visits
    add index if not exists visitors visitor_id type bloom_filter(0.0001) granularity 1;
