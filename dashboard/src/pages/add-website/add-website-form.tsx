import { useApi } from '#api/api-context.ts';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useRouter } from '#app/routing/router.ts';
import { Button, LinkButton } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { type Limit, LimitField } from '#design/forms/limit-field.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { TimeZoneField } from '#design/forms/time-zone-field.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { checkContingent, toContingent } from '#forms/contingent-limit.ts';
import { readDomain } from '#forms/read-domain.ts';
import { useForm } from '#forms/use-form.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useAddWebsiteWords } from './add-website-words.ts';

export function AddWebsiteForm() {
  const words = useAddWebsiteWords();
  const { quota, timezone: timezoneWords } = useSharedWords();
  const api = useApi();
  const router = useRouter();
  const websites = useWebsites();
  const form = useForm({
    initial: {
      domain: '',
      name: '',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      contingent: { isLimited: false, text: '' } as Limit,
    },
    check: ({ domain, contingent }) => ({
      ...(domain.trim() === '' && { domain: words.domainMissing }),
      ...checkContingent(contingent, quota),
    }),
    refused: {
      domain: words.domainRefused,
      name: words.nameRefused,
      timezone: timezoneWords.invalid,
      contingent: quota.invalid,
    },
    taken: { domain: words.domainTaken },
    send: ({ domain, name, timezone, contingent }) =>
      api.addWebsite({
        domain: readDomain(domain),
        ...(name.trim() !== '' && { name: name.trim() }),
        timezone,
        contingent: toContingent(contingent),
      }),
    onDone: (added) => {
      websites.set({ websites: [...(websites.value?.websites ?? []), added] });
      router.go(`/websites/${added.id}`);
    },
  });
  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      <FormMessage message={form.fault?.message} />
      <TextField
        label={words.domain}
        placeholder="shop.example.com"
        inputMode="url"
        autocomplete="off"
        hasFocusFirst
        hint={words.domainHint}
        {...form.field('domain')}
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        isOptional
        placeholder={readDomain(form.values.domain)}
        autocomplete="off"
        {...form.field('name')}
      />
      <TimeZoneField {...form.field('timezone')} />
      <LimitField legend={quota.legend} texts={quota} {...form.field('contingent')} />
      <DialogButtons>
        <LinkButton href="/websites">{words.cancel}</LinkButton>
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          {words.add}
        </Button>
      </DialogButtons>
    </form>
  );
}
