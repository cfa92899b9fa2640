import { PageTitle } from '#app/frame/page-title.tsx';
import { useSession } from '#app/session/session-context.ts';
import { Card } from '#design/display/card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function AccountPage() {
  const { session } = useSession();
  return (
    <div class="narrow">
      <PageTitle title="Account" tabTitle="Account" about={session?.user.email} />
      <div class="stack">
        <Card title="Password" about="Changing it signs you out on all other devices.">
          <PasswordForm />
        </Card>
        <SessionsCard />
      </div>
    </div>
  );
}
