import type { Session } from '#api/shapes.ts';
import { useMedia } from '#browser/use-media.ts';
import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { usePath } from '../routing/router.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { useThemeItems } from './use-theme-items.ts';

export function UserMenu({ user }: { user: Session['user'] }) {
  const { account: words, roles } = useSharedWords();
  const signOut = useSignOut();
  const path = usePath();
  const themes = useThemeItems();
  // On a phone, header.css hides the separate theme menu.
  const hasThemes = useMedia('(max-width: 760px)');
  const adminLinks = [
    { label: words.users, href: '/users' },
    { label: words.auditLog, href: '/audit' },
  ];
  const links = [
    { label: words.websites, href: '/websites' },
    ...(user.role === 'admin' ? adminLinks : []),
    { label: words.account, href: '/account' },
  ];
  const items: MenuItem[] = [
    ...links.map((link) => ({ kind: 'link' as const, ...link, isCurrent: path === link.href })),
    { kind: 'line' },
    ...(hasThemes ? [...themes, { kind: 'line' as const }] : []),
    { kind: 'action', label: words.signOut, onSelect: () => void signOut('here') },
  ];
  return (
    <Menu
      label={words.menu}
      buttonClass="button button-quiet user-button"
      button={
        <>
          <span class="user-letter" aria-hidden="true">
            {user.email.slice(0, 1).toUpperCase()}
          </span>
          <span class="unseen">{words.menuOf(user.email)}</span>
          <span class="user-email cut" aria-hidden="true">
            {user.email}
          </span>
          <Icon name="chevron" />
        </>
      }
      head={
        <>
          <div class="cut">{user.email}</div>
          <div class="faint small">{roles[user.role]}</div>
        </>
      }
      items={items}
    />
  );
}
