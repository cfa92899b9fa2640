import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useRouter } from '#app/routing/router.ts';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { demoDays } from './use-demo.ts';
import { useWebsiteWords } from './website-words.ts';

/** A name that no real website can have. */
const demoDomain = 'demo.trackside.test';

/** Adds a website with demo data and opens it, for an installation that has no website yet. */
export function DemoWebsiteButton() {
  const { firstRun: words } = useWebsiteWords();
  const api = useApi();
  const router = useRouter();
  const websites = useWebsites();
  const say = useToast();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);
  async function begin(): Promise<void> {
    setIsBusy(true);
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const added = await api.addWebsite({
      domain: demoDomain,
      name: words.demoName,
      timezone,
      contingent: null,
    });
    if (!added.isOk) {
      setIsBusy(false);
      return say(spellFault(added.fault), { isBad: true });
    }
    const { id } = added.value;
    const loading = await api.loadDemo(id, demoDays);
    // The page of the website offers it again.
    if (!loading.isOk) say(spellFault(loading.fault), { isBad: true });
    websites.set({ websites: [...(websites.value?.websites ?? []), added.value] });
    router.go(`/websites/${id}`);
  }
  return (
    <Button isBusy={isBusy} onClick={begin}>
      {words.loadDemo}
    </Button>
  );
}
