import type { User } from '#api/shapes.ts';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useSession } from '#app/session/session-context.ts';
import { Ago } from '#design/display/ago.tsx';
import { Table } from '#design/display/table.tsx';
import { Button, LinkButton } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useUsersWords } from './users-words.ts';
import './users-table.css';

/** Of a user with more websites, only the first ones are named. */
const maxNames = 6;

type Props = { users: readonly User[]; onEdit: (user: User) => void; onRemove: (user: User) => void };

export function UsersTable({ users, onEdit, onRemove }: Props) {
  const words = useUsersWords();
  const { email: emailWords, roles } = useSharedWords();
  const { session } = useSession();
  const format = useFormat();
  const websites = useWebsites().value?.websites ?? [];
  const nameOf = (id: number) => websites.find((website) => website.id === id)?.name ?? words.someWebsite(id);
  function namesOf(ids: readonly number[]): string {
    if (ids.length <= maxNames) return ids.map(nameOf).join(', ');
    const first = ids.slice(0, maxNames - 1).map(nameOf);
    return words.andMore(first.join(', '), format.number(ids.length - first.length));
  }
  // A long address continues on the next line after its @.
  const atOf = ({ email }: User) => email.lastIndexOf('@');
  const isSelf = (user: User) => user.id === session?.user.id;
  return (
    <Table
      caption={words.title}
      rows={users}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: emailWords.label,
          cell: (user) => (
            <>
              <b class="user-name">
                {user.email.slice(0, atOf(user) + 1)}
                <wbr />
                {user.email.slice(atOf(user) + 1)}
              </b>
              {isSelf(user) && <span class="badge">{words.you}</span>}
            </>
          ),
        },
        { heading: words.columns.role, cell: ({ role }) => roles[role] },
        {
          heading: words.columns.websites,
          isLabelled: true,
          cell: ({ role, websites: ids }) => (
            <span class="muted">
              {role === 'admin' ? words.allWebsites : namesOf(ids) || words.noWebsites}
            </span>
          ),
        },
        {
          heading: words.columns.lastSignIn,
          isLabelled: true,
          cell: ({ lastSignInAt }) => (
            <span class="user-seen">{lastSignInAt === null ? words.never : <Ago at={lastSignInAt} />}</span>
          ),
        },
        {
          heading: words.columns.actions,
          isAction: true,
          cell: (user) => (
            <span class="user-actions">
              {isSelf(user) ? (
                <LinkButton isSmall href="/account">
                  {words.account}
                </LinkButton>
              ) : (
                <>
                  <Button isSmall aria-label={words.editUser(user.email)} onClick={() => onEdit(user)}>
                    {words.edit}
                  </Button>
                  <Button
                    isSmall
                    kind="danger-ghost"
                    aria-label={words.removeUser(user.email)}
                    onClick={() => onRemove(user)}
                  >
                    {words.remove}
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
