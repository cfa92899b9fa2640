export type PageName =
  | 'setup'
  | 'sign-in'
  | 'websites'
  | 'add-website'
  | 'website'
  | 'live'
  | 'integrate'
  | 'edit-website'
  | 'quality'
  | 'account'
  | 'users'
  | 'audit'
  | 'share'
  | 'not-found';

/** Who can see a page. For everybody else it does not exist. */
export type Audience = 'anyone' | 'user' | 'admin';

export type Route = { page: PageName; audience: Audience; websiteId: number };

const routes: readonly { path: string; page: PageName; audience: Audience }[] = [
  { path: '/', page: 'websites', audience: 'user' },
  { path: '/setup', page: 'setup', audience: 'anyone' },
  { path: '/sign-in', page: 'sign-in', audience: 'anyone' },
  { path: '/websites', page: 'websites', audience: 'user' },
  { path: '/websites/new', page: 'add-website', audience: 'admin' },
  { path: '/websites/:id', page: 'website', audience: 'user' },
  { path: '/websites/:id/live', page: 'live', audience: 'user' },
  { path: '/websites/:id/integrate', page: 'integrate', audience: 'admin' },
  { path: '/websites/:id/settings', page: 'edit-website', audience: 'admin' },
  { path: '/websites/:id/quality', page: 'quality', audience: 'admin' },
  { path: '/account', page: 'account', audience: 'user' },
  { path: '/users', page: 'users', audience: 'admin' },
  { path: '/audit', page: 'audit', audience: 'admin' },
  { path: '/share/:token', page: 'share', audience: 'anyone' },
  { path: '/share/:token/embed', page: 'share', audience: 'anyone' },
];

/** The page at a path. A trailing slash makes no difference. */
export function matchRoute(path: string): Route {
  const wanted = split(path);
  for (const { path: pattern, page, audience } of routes) {
    const parts = split(pattern);
    if (parts.length !== wanted.length) continue;
    if (!parts.every((part, index) => isMatch(part, wanted[index]!))) continue;
    const websiteId = parts.includes(':id') ? Number(wanted[parts.indexOf(':id')]) : 0;
    return { page, audience, websiteId };
  }
  return { page: 'not-found', audience: 'user', websiteId: 0 };
}

const split = (path: string) => path.split('/').filter((part) => part !== '');

function isMatch(part: string, text: string): boolean {
  if (part === ':id') return isId(text);
  return part === ':token' ? /^[\w-]{1,100}$/.test(text) : part === text;
}

const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text);
