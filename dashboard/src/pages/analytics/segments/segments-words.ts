import { createUseWords } from '#words/words-context.ts';

export const segmentsWords = {
  menu: 'Segments',
  switch: 'Switch segment',
  all: 'All visitors',
  onlyYou: 'Only you',
  save: 'Save as segment…',
  manage: 'Manage segments…',
  notFound: 'This link’s segment doesn’t exist, or you don’t have access to it. You’re seeing all visitors.',
  saving: {
    title: 'Save segment',
    about:
      'A segment is a set of filters with a name. Switch to it at any time, without choosing the filters again.',
    name: 'Name',
    placeholder: 'Mobile visitors from Germany',
    who: 'Who can use it',
    onlyMe: 'Only me',
    everyone: 'Everyone with access to this website',
    everyoneHint: 'Read tokens can use it too.',
    nameMissing: 'Enter a name.',
    nameLong: (length: number) => `Enter at most ${length} characters.`,
    noRoom: (count: number) => `You can save up to ${count} segments. Delete one you no longer need.`,
    nameTaken: 'There’s already a segment with this name.',
    cancel: 'Cancel',
    submit: 'Save segment',
    saved: (name: string) => `Segment “${name}” saved.`,
  },
  managing: {
    title: 'Segments',
    everyone: 'Everyone',
    about:
      'To change a segment’s filters, choose filters on the page, open this list and select “Update filters”.',
    empty: 'No segments yet. Add filters, then save them as a segment.',
    newName: (name: string) => `New name for “${name}”`,
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    renamed: 'Segment renamed.',
    saveName: 'Save name',
    cancel: 'Cancel',
    update: 'Update filters',
    updateOf: (name: string) => `Update filters of ${name}`,
    updated: (name: string) => `Segment “${name}” now has the filters of this page.`,
    remove: 'Delete',
    removeOf: (name: string) => `Delete ${name}`,
    reallyRemove: 'Really delete?',
    removed: 'Segment deleted.',
    close: 'Close',
  },
};

export type SegmentsWords = typeof segmentsWords;

export const useSegmentsWords = createUseWords('segments', segmentsWords);
