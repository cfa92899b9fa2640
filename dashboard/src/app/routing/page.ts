import type { ComponentType } from 'preact';
import type { PageName } from './match-route.ts';

export type PageProps = { path: string; websiteId: number };
export type Page = ComponentType<PageProps>;

/** Each page is loaded from its own file when it is first needed. */
export type Pages = Record<PageName, () => Promise<Page>>;
