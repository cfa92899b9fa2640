import type { ComponentType } from 'preact';
import type { PageName } from './match-route.ts';

export type PageProps = { path: string; websiteId: number };

export type Pages = Readonly<Record<PageName, ComponentType<PageProps>>>;
