import type { WebsiteSettings } from '#api/shapes.ts';

/** What was typed into a section and not saved, with the settings that it started from. */
export type SettingsDraft<Values> = { base: WebsiteSettings; values: Values };

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Keeps what was typed while the user is elsewhere, in this tab only. Its base is kept too, so that changes
 * that others have saved in the meantime are noticed as usual.
 */
export function createDraftStore<Values>(storage: DraftStorage, websiteId: number, section: string) {
  const key = `settings ${websiteId} ${section}`;
  return {
    read(): SettingsDraft<Values> | undefined {
      try {
        const text = storage.getItem(key);
        return text === null ? undefined : (JSON.parse(text) as SettingsDraft<Values>);
      } catch {
        return undefined;
      }
    },
    /** Without a draft, the kept one is dropped. */
    write(draft: SettingsDraft<Values> | undefined): void {
      try {
        if (draft === undefined) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(draft));
      } catch {
        // Storage is disabled, so the draft lasts as long as the page.
      }
    },
  };
}
