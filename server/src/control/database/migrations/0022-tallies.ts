import type { Migration } from '../migrate.ts';

/**
 * What became of everything that was sent, by website and hour. There is no reference to websites, because
 * deleting a website must not make every later checkpoint of its node fail.
 */
export const tallies: Migration = {
  number: 22,
  name: 'tallies',
  async up(db) {
    const create = async (
      name: string,
      { texts, numbers, key }: Record<'texts' | 'numbers' | 'key', readonly string[]>,
    ) => {
      let table = db.schema.createTable(name);
      for (const column of numbers) table = table.addColumn(column, 'bigint', (type) => type.notNull());
      for (const column of texts) table = table.addColumn(column, 'text', (type) => type.notNull());
      await table.addPrimaryKeyConstraint(`${name}_primary_key`, [...key] as never[]).execute();
    };
    const place = ['website_id', 'hour', 'node', 'key', 'release'];
    const who = ['node', 'key', 'release'];
    const shape = ['field', 'expected', 'got'];
    await create('tallies', {
      texts: [...who, 'outcome'],
      numbers: ['website_id', 'hour', 'is_numbered', 'records'],
      key: [...place, 'outcome', 'is_numbered'],
    });
    await create('tally_refusals', {
      texts: [...who, ...shape],
      numbers: ['website_id', 'hour', 'code', 'records'],
      key: [...place, 'code', ...shape],
    });
    await create('tally_streams', {
      texts: [...who, 'stream', 'numbers'],
      numbers: ['website_id', 'hour', 'arrivals'],
      key: ['website_id', 'stream', 'hour', 'node'],
    });
    await create('tally_stream_ends', {
      texts: ['stream'],
      numbers: ['website_id', 'folded_to', 'hour'],
      key: ['website_id', 'stream'],
    });
    await create('tally_keys', {
      texts: ['node', 'key'],
      numbers: ['website_id'],
      key: ['website_id', 'node'],
    });
    await create('tally_checkpoints', { texts: ['node'], numbers: ['number'], key: ['node'] });
  },
};
