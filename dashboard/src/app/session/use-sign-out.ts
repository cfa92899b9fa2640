import { useApi } from '#api/api-context.ts';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useRouter } from '../routing/router.ts';
import { useSession } from './session-context.ts';

/** Returns a function that signs out here or on every device. */
export function useSignOut() {
  const api = useApi();
  const router = useRouter();
  const say = useToast();
  const { end } = useSession();
  const spellFault = useSpellFault();
  return async (where: 'here' | 'everywhere'): Promise<void> => {
    const answer = await (where === 'here' ? api.signOut() : api.signOutEverywhere());
    if (!answer.isOk && answer.fault.kind !== 'signed-out')
      return say(spellFault(answer.fault), { isBad: true });
    router.go('/sign-in');
    end();
  };
}
