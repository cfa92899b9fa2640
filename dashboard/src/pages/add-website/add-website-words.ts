import { createUseWords } from '#words/words-context.ts';

export const addWebsiteWords = {
  title: 'Add website',
  websites: 'Websites',
  domain: 'Domain',
  domainHint: 'Paste any address of your website, or type its domain.',
  domainMissing: 'Enter the domain, such as shop.example.com.',
  domainRefused: 'Enter a valid domain, such as shop.example.com.',
  domainTaken: 'You’ve already added a website with this domain.',
  name: 'Name',
  nameHint: 'Shown in Trackside and in reports.',
  nameRefused: 'Enter a name with at most 100 characters.',
  add: 'Add website',
  cancel: 'Cancel',
};

export type AddWebsiteWords = typeof addWebsiteWords;

export const useAddWebsiteWords = createUseWords('add-website', addWebsiteWords);
