import { maxNameLength } from '@trackside/contract/app/limits.ts';
import { parseOneLine } from './parse-one-line.ts';

/** What people call the website. */
export const parseWebsiteName = (text: string): string => parseOneLine('Name', text, maxNameLength);
