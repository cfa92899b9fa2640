import { parseOneLine } from './parse-one-line.ts';

const maxLength = 100;

/** What people call the website. */
export const parseWebsiteName = (text: string): string => parseOneLine('The name', text, maxLength);
