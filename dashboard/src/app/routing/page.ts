import type { ComponentType } from 'preact';
import type { Place } from './create-router.ts';
import type { PageName } from './match-route.ts';

export type PageProps = { place: Place; websiteId: number };
export type Page = ComponentType<PageProps>;

/** Each page is loaded from a file of its own when it is first needed. */
export type Pages = Record<PageName, () => Promise<Page>>;
