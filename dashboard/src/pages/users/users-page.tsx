import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { User } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Button } from '#design/forms/button.tsx';
import { RemoveUserDialog } from './remove-user-dialog.tsx';
import { UserDialog } from './user-dialog.tsx';
import { UsersTable } from './users-table.tsx';
import { useUsersWords } from './users-words.ts';

type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; user: User };

export function UsersPage() {
  const words = useUsersWords();
  const api = useApi();
  const users = useResource('users', api.users);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    users.reload();
  };
  return (
    <>
      <PageTitle
        title={words.title}
        tabTitle={words.title}
        about={words.about}
        actions={
          <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
            {words.add}
          </Button>
        }
      />
      <section class="card users" aria-label={words.title}>
        <Loaded resource={users} skeleton={<Skeleton height={176} />}>
          {({ users }) => (
            <UsersTable
              users={users}
              onEdit={(user) => setOpen({ kind: 'edit', user })}
              onRemove={(user) => setOpen({ kind: 'remove', user })}
            />
          )}
        </Loaded>
      </section>
      {open?.kind === 'add' && <UserDialog user={undefined} onClose={close} onDone={done} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} onClose={close} onDone={done} />}
      {open?.kind === 'remove' && <RemoveUserDialog user={open.user} onClose={close} onDone={done} />}
    </>
  );
}
