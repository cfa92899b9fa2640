import { PageTitle } from '#app/frame/page-title.tsx';
import { useSession } from '#app/session/session-context.ts';
import { Card } from '#design/display/card.tsx';
import { useAccountWords } from './account-words.ts';
import { LanguageCard } from './language-card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsCard } from './sessions-card.tsx';
import './account-page.css';

export function AccountPage() {
  const words = useAccountWords();
  const { session } = useSession();
  return (
    <div class="narrow account-width">
      <PageTitle title={words.title} tabTitle={words.title} about={session?.user.email} />
      <div class="stack account">
        <div class="stack">
          <LanguageCard />
          <Card title={words.password.title} about={words.password.about}>
            <PasswordForm />
          </Card>
        </div>
        <SessionsCard />
      </div>
    </div>
  );
}
