import { useApi } from '#api/api-context.ts';
import type { User } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useAccessWords } from '../access-words.ts';
import './people-card.css';

/** Lists who can see the website: its viewers, and the admins, who see all websites. */
export function PeopleCard({ websiteId }: { websiteId: number }) {
  const { people: words } = useAccessWords();
  const { roles } = useSharedWords();
  const api = useApi();
  const users = useResource('users', api.users);
  const canSee = ({ role, websites }: User) => role === 'admin' || websites.includes(websiteId);
  return (
    <Card
      title={words.title}
      about={words.about}
      aside={
        <LinkButton isSmall href="/users">
          {words.manage}
        </LinkButton>
      }
    >
      <Loaded resource={users} skeleton={<Skeleton height={66} />}>
        {({ users }) => (
          <ul class="people">
            {users.filter(canSee).map(({ id, email, role }) => (
              <li key={id}>
                <span class="cut">{email}</span>
                <span class="faint small">{roles[role]}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
