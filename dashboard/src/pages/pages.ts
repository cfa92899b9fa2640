import type { Pages } from '#app/routing/page.ts';

export const pages: Pages = {
  setup: () => import('./setup/setup-page.tsx').then((file) => file.SetupPage),
  'sign-in': () => import('./sign-in/sign-in-page.tsx').then((file) => file.SignInPage),
  websites: () => import('./websites/websites-page.tsx').then((file) => file.WebsitesPage),
  'add-website': () => import('./add-website/add-website-page.tsx').then((file) => file.AddWebsitePage),
  website: () => import('./website/website-page.tsx').then((file) => file.WebsitePage),
  live: () => import('./live/live-page.tsx').then((file) => file.LivePage),
  integrate: () => import('./integrate/integrate-page.tsx').then((file) => file.IntegratePage),
  'edit-website': () => import('./edit-website/edit-website-page.tsx').then((file) => file.EditWebsitePage),
  account: () => import('./account/account-page.tsx').then((file) => file.AccountPage),
  users: () => import('./users/users-page.tsx').then((file) => file.UsersPage),
  audit: () => import('./audit/audit-page.tsx').then((file) => file.AuditPage),
  share: () => import('./share/share-page.tsx').then((file) => file.SharePage),
  'not-found': () => import('./not-found/not-found-page.tsx').then((file) => file.NotFoundPage),
};
