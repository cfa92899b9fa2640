import { useApi } from '#api/api-context.ts';
import { ok } from '#api/fault.ts';
import type { Note } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { useAnalytics } from '../../analytics-context.ts';

export type Notes = {
  all: readonly Note[];
  /** Adds a note, or replaces the one with its id. */
  save: (note: Note) => void;
  remove: (id: number) => void;
};

const none: readonly Note[] = [];

/** Loads the dated notes of the website. A public page has none. */
export function useNotes(): Notes {
  const api = useApi();
  const { website, isShared } = useAnalytics();
  const { value, set } = useResource(`notes ${website.id}`, async (signal) =>
    isShared ? ok({ notes: [] }) : await api.notes(website.id, signal),
  );
  const all = value?.notes ?? none;
  return {
    all,
    save: (note) => {
      const others = all.filter(({ id }) => id !== note.id);
      set({ notes: [...others, note].sort((a, b) => a.day.localeCompare(b.day)) });
    },
    remove: (id) => set({ notes: all.filter((note) => note.id !== id) }),
  };
}
