import { maxDryRunLength } from '@trackside/contract/app/limits.ts';
import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { DryRun, Website } from '#api/shapes.ts';
import { Banner } from '#design/display/banner.tsx';
import { Card } from '#design/display/card.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextAreaField } from '#design/forms/text-area-field.tsx';
import { useForm } from '#forms/use-form.ts';
import { fill } from '#words/fill.ts';
import { exampleRecord, kindOfRecord } from './example-record.ts';
import { Facts } from './facts.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import './first-record.css';

/** Judges a record that somebody pastes, as the tracking endpoints would, and stores nothing. */
export function CheckRecord({ website: { id, domain } }: { website: Website }) {
  const { check: words } = useIntegrateWords();
  const api = useApi();
  const [answer, setAnswer] = useState<DryRun>();
  const form = useForm({
    initial: { body: exampleRecord(domain) },
    check: ({ body }) => {
      if (body.trim() === '') return { body: words.missing };
      return body.length > maxDryRunLength ? { body: words.tooLong } : {};
    },
    send: ({ body }) => api.dryRun(id, { kind: kindOfRecord(body), body }),
    onDone: setAnswer,
  });
  return (
    <Card
      title={words.title}
      about={fill(words.about, { header: <code class="check-header">Trackside-Dry-Run: 1</code> })}
    >
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextAreaField isCode rows={12} label={words.body} hint={words.bodyHint} {...form.field('body')} />
        <div class="row">
          <Button type="submit" isBusy={form.isBusy}>
            {words.submit}
          </Button>
        </div>
      </form>
      <div class="first" aria-live="polite">
        {answer !== undefined && <Verdict answer={answer} />}
      </div>
    </Card>
  );
}

function Verdict({ answer: { code, message, isExcluded, understood } }: { answer: DryRun }) {
  const { check: words } = useIntegrateWords();
  return (
    <>
      {isExcluded ? (
        <Banner kind="warn">{fill(words.excluded, { message: <span lang="en">{message}</span> })}</Banner>
      ) : code === 200 ? (
        <Banner kind="good">{words.accepted}</Banner>
      ) : (
        <Banner kind="bad">
          {fill(words.refused(String(code)), { message: <span lang="en">{message}</span> })}
        </Banner>
      )}
      {understood !== null && <Facts understood={understood} />}
    </>
  );
}
