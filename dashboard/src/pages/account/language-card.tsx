import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { useSession } from '#app/session/session-context.ts';
import { Card } from '#design/display/card.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { type Language, languages } from '#words/language.ts';
import { useAccountWords } from './account-words.ts';

/** Each language by its own name, so that people who read no other one can find it. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export function LanguageCard() {
  const { language: words } = useAccountWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const { session, begin } = useSession();
  const [wanted, setWanted] = useState<Language | 'browser'>();
  const chosen = wanted ?? session?.user.language ?? 'browser';

  async function choose(choice: Language | 'browser'): Promise<void> {
    setWanted(choice);
    const answer = await api.chooseLanguage({ language: choice === 'browser' ? null : choice });
    if (answer.isOk) begin(answer.value);
    else say(spellFault(answer.fault), { isBad: true });
    setWanted(undefined);
  }
  return (
    <Card title={words.title} about={words.about}>
      <RadioGroup
        legend={words.title}
        isLegendUnseen
        name="language"
        value={chosen}
        onValue={(choice) => void choose(choice)}
        choices={[
          { value: 'browser', label: words.browser },
          ...languages.map((language) => ({ value: language, label: names[language] })),
        ]}
      />
    </Card>
  );
}
