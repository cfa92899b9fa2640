export type PageName =
  | 'setup'
  | 'sign-in'
  | 'websites'
  | 'add-website'
  | 'website'
  | 'edit-website'
  | 'account'
  | 'users'
  | 'audit'
  | 'not-found';

/** Who sees a page. To all others it is not there. */
export type Audience = 'anyone' | 'user' | 'admin';

export type Route = { page: PageName; audience: Audience; websiteId: number };

const routes: readonly { path: string; page: PageName; audience: Audience }[] = [
  { path: '/', page: 'websites', audience: 'user' },
  { path: '/setup', page: 'setup', audience: 'anyone' },
  { path: '/sign-in', page: 'sign-in', audience: 'anyone' },
  { path: '/websites', page: 'websites', audience: 'user' },
  { path: '/websites/new', page: 'add-website', audience: 'admin' },
  { path: '/websites/:id', page: 'website', audience: 'user' },
  { path: '/websites/:id/settings', page: 'edit-website', audience: 'admin' },
  { path: '/account', page: 'account', audience: 'user' },
  { path: '/users', page: 'users', audience: 'admin' },
  { path: '/audit', page: 'audit', audience: 'admin' },
];

/** The page at a path; a slash at its end does not matter. */
export function matchRoute(path: string): Route {
  const wanted = split(path);
  for (const { path: pattern, page, audience } of routes) {
    const parts = split(pattern);
    if (parts.length !== wanted.length) continue;
    if (!parts.every((part, index) => (part === ':id' ? isId(wanted[index]!) : part === wanted[index])))
      continue;
    const websiteId = parts.includes(':id') ? Number(wanted[parts.indexOf(':id')]) : 0;
    return { page, audience, websiteId };
  }
  return { page: 'not-found', audience: 'user', websiteId: 0 };
}

const split = (path: string) => path.split('/').filter((part) => part !== '');
const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text);
