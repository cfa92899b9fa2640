import type { User } from '#api/shapes.ts';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useSession } from '#app/session/session-context.ts';
import { Ago } from '#design/display/ago.tsx';
import { Table } from '#design/display/table.tsx';
import { Button, LinkButton } from '#design/forms/button.tsx';
import './users-table.css';

type Props = { users: readonly User[]; onEdit: (user: User) => void; onRemove: (user: User) => void };

export function UsersTable({ users, onEdit, onRemove }: Props) {
  const { session } = useSession();
  const websites = useWebsites().value?.websites ?? [];
  const namesOf = (ids: readonly number[]) =>
    ids.map((id) => websites.find((website) => website.id === id)?.name ?? `website ${id}`).join(', ');
  const isSelf = (user: User) => user.id === session?.user.id;
  return (
    <Table
      caption="Users"
      rows={users}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: 'E-mail',
          cell: (user) => (
            <>
              <b class="user-name">{user.email}</b>
              {isSelf(user) && <span class="badge">you</span>}
            </>
          ),
        },
        { heading: 'Role', cell: ({ role }) => (role === 'admin' ? 'Admin' : 'Viewer') },
        {
          heading: 'Websites',
          isLabelled: true,
          cell: ({ role, websites: ids }) => (
            <span class="muted">{role === 'admin' ? 'all' : namesOf(ids) || 'none yet'}</span>
          ),
        },
        {
          heading: 'Last sign-in',
          isLabelled: true,
          cell: ({ lastSignInAt }) => (
            <span class="muted">{lastSignInAt === null ? 'never' : <Ago at={lastSignInAt} />}</span>
          ),
        },
        {
          heading: 'Actions',
          isAction: true,
          cell: (user) => (
            <span class="user-actions">
              {isSelf(user) ? (
                <LinkButton isSmall href="/account">
                  Account
                </LinkButton>
              ) : (
                <>
                  <Button isSmall onClick={() => onEdit(user)}>
                    Edit<span class="unseen"> {user.email}</span>
                  </Button>
                  <Button isSmall kind="danger-ghost" onClick={() => onRemove(user)}>
                    Remove<span class="unseen"> {user.email}</span>
                  </Button>
                </>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
