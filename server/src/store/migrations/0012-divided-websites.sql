-- From here on, the rows of a website can be on several shards of a cluster, by visitor. Earlier versions ask one
-- shard and would count too few, so they must not start anymore. This is all that the number is for.
alter table records modify comment 'A website can be on several shards, by visitor.';
