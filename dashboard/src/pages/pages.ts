import type { Pages } from '#app/routing/page.ts';
import { AccountPage } from './account/account-page.tsx';
import { AddWebsitePage } from './add-website/add-website-page.tsx';
import { AuditPage } from './audit/audit-page.tsx';
import { EditWebsitePage } from './edit-website/edit-website-page.tsx';
import { IntegratePage } from './integrate/integrate-page.tsx';
import { LivePage } from './live/live-page.tsx';
import { NotFoundPage } from './not-found/not-found-page.tsx';
import { QualityPage } from './quality/quality-page.tsx';
import { SetupPage } from './setup/setup-page.tsx';
import { SharePage } from './share/share-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { UsersPage } from './users/users-page.tsx';
import { WebsitePage } from './website/website-page.tsx';
import { WebsitesPage } from './websites/websites-page.tsx';

export const pages: Pages = {
  setup: SetupPage,
  'sign-in': SignInPage,
  websites: WebsitesPage,
  'add-website': AddWebsitePage,
  website: WebsitePage,
  live: LivePage,
  integrate: IntegratePage,
  'edit-website': EditWebsitePage,
  quality: QualityPage,
  account: AccountPage,
  users: UsersPage,
  audit: AuditPage,
  share: SharePage,
  'not-found': NotFoundPage,
};
