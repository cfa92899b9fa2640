import type { ComponentType } from 'preact';
import type { Place } from './create-router.ts';
import type { PageName } from './match-route.ts';

export type PageProps = { place: Place; websiteId: number };
export type Page = ComponentType<PageProps>;

/** Each page is a file of its own, fetched when it is first needed. */
export const pages: Record<PageName, () => Promise<Page>> = {
  setup: () => import('../../pages/setup/setup-page.tsx').then((file) => file.SetupPage),
  'sign-in': () => import('../../pages/sign-in/sign-in-page.tsx').then((file) => file.SignInPage),
  websites: () => import('../../pages/websites/websites-page.tsx').then((file) => file.WebsitesPage),
  'add-website': () =>
    import('../../pages/add-website/add-website-page.tsx').then((file) => file.AddWebsitePage),
  website: () => import('../../pages/website/website-page.tsx').then((file) => file.WebsitePage),
  live: () => import('../../pages/live/live-page.tsx').then((file) => file.LivePage),
  integrate: () => import('../../pages/integrate/integrate-page.tsx').then((file) => file.IntegratePage),
  'edit-website': () =>
    import('../../pages/edit-website/edit-website-page.tsx').then((file) => file.EditWebsitePage),
  account: () => import('../../pages/account/account-page.tsx').then((file) => file.AccountPage),
  users: () => import('../../pages/users/users-page.tsx').then((file) => file.UsersPage),
  audit: () => import('../../pages/audit/audit-page.tsx').then((file) => file.AuditPage),
  share: () => import('../../pages/share/share-page.tsx').then((file) => file.SharePage),
  'not-found': () => import('../../pages/not-found/not-found-page.tsx').then((file) => file.NotFoundPage),
};
