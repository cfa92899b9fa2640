import { noteShape, notesShape } from '@trackside/contract/app/answers.ts';
import { addNote } from '../../../actions/add-note.ts';
import { changeNote } from '../../../actions/change-note.ts';
import { removeNote } from '../../../actions/remove-note.ts';
import type { Control } from '../../../control/open-control.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { addNoteBody } from '../forms.ts';
import { readId } from '../read-id.ts';
import { toNoteAnswer } from '../to-answers.ts';

/** Returns the routes of notes on the days of a website, for everyone who may see it. */
export function noteRoutes(control: Pick<Control, 'notes' | 'transact'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/notes',
      access: 'user',
      summary: 'List the notes of a website',
      answers: {
        code: 200,
        schema: notesShape,
        description: 'Notes, sorted by day.',
      },
      handle: async ({ website }) => ({
        body: { notes: (await control.notes.list(website.id)).map(toNoteAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/notes',
      access: 'admin',
      summary: 'Add a note',
      body: addNoteBody,
      answers: { code: 201, schema: noteShape, description: 'Added.' },
      async handle({ user, website, body }) {
        const note = await addNote(control, user, { ...body, website, author: user.email });
        return { body: toNoteAnswer(note) };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/websites/:id/notes/:noteId',
      access: 'admin',
      summary: 'Change a note',
      body: addNoteBody,
      answers: { code: 200, schema: noteShape, description: 'As it is now. Its author stays.' },
      async handle({ user, website, params, body }) {
        const id = readId(params.noteId);
        const note = id && (await changeNote(control, user, { ...body, website, id }));
        if (!note) throw notFound();
        return { body: toNoteAnswer(note) };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/notes/:noteId',
      access: 'admin',
      summary: 'Remove a note',
      answers: { code: 204, description: 'Removed.' },
      async handle({ user, website, params }) {
        const id = readId(params.noteId);
        const note = id && (await removeNote(control, user, { website, id }));
        if (!note) throw notFound();
        return {};
      },
    }),
  ];
}
