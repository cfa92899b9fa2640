import type { Session } from '#api/shapes.ts';
import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { usePath } from '../routing/router.ts';
import { useSignOut } from '../session/use-sign-out.ts';

const adminLinks = [
  { label: 'Users', href: '/users' },
  { label: 'Audit log', href: '/audit' },
];

export function UserMenu({ user }: { user: Session['user'] }) {
  const signOut = useSignOut();
  const path = usePath();
  const links = [
    { label: 'Websites', href: '/websites' },
    ...(user.role === 'admin' ? adminLinks : []),
    { label: 'Account', href: '/account' },
  ];
  const items: MenuItem[] = [
    ...links.map((link) => ({ kind: 'link' as const, ...link, isCurrent: path === link.href })),
    { kind: 'line' },
    { kind: 'action', label: 'Sign out', onSelect: () => void signOut('here') },
  ];
  return (
    <Menu
      label="Menu"
      buttonClass="button button-quiet user-button"
      button={
        <>
          <span class="user-letter" aria-hidden="true">
            {user.email.slice(0, 1).toUpperCase()}
          </span>
          <span class="unseen">Menu of {user.email}</span>
          <span class="user-email cut" aria-hidden="true">
            {user.email}
          </span>
          <Icon name="chevron" />
        </>
      }
      head={
        <>
          <div class="cut">{user.email}</div>
          <div class="faint small">{user.role === 'admin' ? 'Admin' : 'Viewer'}</div>
        </>
      }
      items={items}
    />
  );
}
