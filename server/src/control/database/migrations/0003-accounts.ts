import type { Migration } from '../migrate.ts';

/** Users with their sessions, what they may see and what they did, and the settings of a website. */
export const accounts: Migration = {
  number: 3,
  name: 'accounts',
  async up(db, { bytesType }) {
    const state = db.schema.alterTable('control_state');
    await state.addColumn('last_user_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
    await state.addColumn('last_audit_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
    await state.addColumn('setup_token_hash', 'text').execute();

    await db.schema
      .createTable('users')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_sign_in_at', 'bigint')
      .execute();
    await db.schema
      .createTable('sessions')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
    await db.schema
      .createTable('grants')
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('grants_primary_key', ['user_id', 'website_id'])
      .execute();
    await db.schema
      .createTable('sign_in_failures')
      // An account or an address, hashed, so that typing one doesn't store it in the database.
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .execute();
    // There are no references, because the log must keep what happened after its user or its website is gone.
    await db.schema
      .createTable('audit_log')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('website_id', 'bigint')
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('audit_log_by_website')
      .on('audit_log')
      .columns(['website_id', 'id'])
      .execute();

    const websites = db.schema.alterTable('websites');
    await websites.addColumn('name', 'text', (column) => column.notNull().defaultTo('')).execute();
    await websites.addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1)).execute();
    await websites.addColumn('retention_days', 'bigint').execute();
    await websites.addColumn('share_token_hash', 'text').execute();
    await websites.addColumn('share_token_encrypted', bytesType).execute();
    await websites.addColumn('deleting_since', 'bigint').execute();
    await db
      .withTables<{ websites: { name: string; domain: string } }>()
      .updateTable('websites')
      .set((eb) => ({ name: eb.ref('domain') }))
      .execute();

    const keys = db.schema.alterTable('api_keys');
    await keys.addColumn('expires_at', 'bigint').execute();
    await keys.addColumn('last_used_at', 'bigint').execute();

    // Whose records must not come back from the journal. There is no reference, because this must hold until
    // the journal no longer has them.
    await db.schema
      .createTable('erasures')
      .addColumn('website_id', 'bigint', (column) => column.notNull())
      .addColumn('visitor_id', 'text', (column) => column.notNull())
      .addColumn('received_before', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('erasures_primary_key', ['website_id', 'visitor_id'])
      .execute();
  },
};
