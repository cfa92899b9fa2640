import { maxNoteLength, maxNotes } from '@trackside/contract/app/limits.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { parseDay } from './parse-day.ts';
import { parseOneLine } from './parse-one-line.ts';
import { websiteNotFound } from './website-row.ts';

/** Something that people want to remember about a day of a website: a relaunch, a campaign, an outage. */
export type Note = {
  id: number;
  /** A day of the website's calendar. */
  day: string;
  text: string;
  /** An email address. */
  author: string;
  createdAt: number;
};

/** Nodes keep no notes in memory, so changes here don't raise control's revision. */
export type Notes = {
  /** Ordered by day. Notes on the same day are in the order in which they were written. */
  list(websiteId: number): Promise<Note[]>;
  add(websiteId: number, note: { day: string; text: string; author: string }): Promise<Note>;
  /** Returns the changed note, or undefined if the website has no such note. Its author stays. */
  change(websiteId: number, note: { id: number; day: string; text: string }): Promise<Note | undefined>;
  /** Returns what was removed, or undefined if the website has no such note. */
  remove(websiteId: number, id: number): Promise<Note | undefined>;
};

const columns = ['id', 'day', 'text', 'author', 'created_at'] as const;

export const parseNoteText = (text: string) => parseOneLine('Note', text, maxNoteLength);

export function createNotes(options: { database: Database; clock: Clock }): Notes {
  const { clock } = options;
  const { db } = options.database;
  return {
    async list(websiteId) {
      const rows = await db
        .selectFrom('notes')
        .select(columns)
        .where('website_id', '=', websiteId)
        .orderBy('day')
        .orderBy('id')
        .execute();
      return rows.map(toNote);
    },

    async add(websiteId, note) {
      const [day, text] = [parseDay(note.day), parseNoteText(note.text)];
      return await inTransaction(db, async (trx) => {
        await checkRoom(trx, websiteId);
        const row = await trx
          .insertInto('notes')
          .values({
            id: await countNote(trx),
            website_id: websiteId,
            day,
            text,
            author: note.author,
            created_at: clock.now(),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toNote(row);
      });
    },

    async change(websiteId, note) {
      const row = await db
        .updateTable('notes')
        .set({ day: parseDay(note.day), text: parseNoteText(note.text) })
        .where('website_id', '=', websiteId)
        .where('id', '=', note.id)
        .returning(columns)
        .executeTakeFirst();
      return row && toNote(row);
    },

    async remove(websiteId, id) {
      const row = await db
        .deleteFrom('notes')
        .where('website_id', '=', websiteId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toNote(row);
    },
  };
}

async function checkRoom(trx: Kysely<Tables>, websiteId: number): Promise<void> {
  const row = await trx
    .selectFrom('websites')
    .select((eb) =>
      eb
        .selectFrom('notes')
        .select(({ fn }) => fn.countAll<number>().as('notes'))
        .whereRef('notes.website_id', '=', 'websites.id')
        .as('notes'),
    )
    .where('id', '=', websiteId)
    .executeTakeFirst();
  if (row === undefined) throw websiteNotFound(websiteId);
  if (Number(row.notes) < maxNotes) return;
  const message = `A website can have at most ${maxNotes} notes. Remove one that you no longer need.`;
  throw new ControlError('invalid', message, 'text');
}

async function countNote(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_note_id: eb('last_note_id', '+', 1) }))
    .returning('last_note_id')
    .executeTakeFirstOrThrow();
  return row.last_note_id;
}

function toNote(row: Pick<Tables['notes'], (typeof columns)[number]>): Note {
  const { id, day, text, author, created_at } = row;
  return { id, day, text, author, createdAt: created_at };
}
