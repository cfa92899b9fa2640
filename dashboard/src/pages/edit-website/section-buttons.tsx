import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { useEditWebsiteWords } from './edit-website-words.ts';
import type { Section } from './use-settings-section.ts';
import './section-buttons.css';

type Props<Values extends object> = {
  section: Section<Values>;
  save: string;
  /** Hides the button while there is nothing to save. */
  isQuiet?: boolean;
  nameOf: (field: keyof Values & string) => string;
  show: (value: unknown) => string;
};

/** The Save button, and what prevents saving. */
export function SectionButtons<Values extends object>({
  section,
  save,
  isQuiet = false,
  nameOf,
  show,
}: Props<Values>) {
  const { saving: words } = useEditWebsiteWords();
  const { form, isDirty, clashes } = section;
  if (clashes.length > 0) {
    return (
      <div role="alert">
        <Banner kind="warn">
          <b>{words.clash}</b> {words.notSaved}
          <dl class="clashes">
            {clashes.map(({ field, mine, theirs }) => (
              <div key={field}>
                <dt>{nameOf(field)}</dt>
                <dd>
                  <span class="muted">{words.theirs}</span> {show(theirs)}
                </dd>
                <dd>
                  <span class="muted">{words.yours}</span> {show(mine)}
                </dd>
              </div>
            ))}
          </dl>
          <div class="row">
            <Button isSmall kind="primary" onClick={section.keepMine}>
              {words.saveMine}
            </Button>
            <Button isSmall onClick={section.takeTheirs}>
              {words.keepTheirs}
            </Button>
          </div>
        </Banner>
      </div>
    );
  }
  return (
    <>
      <FormMessage message={form.fault?.message} />
      {section.isDraft && <p class="faint small">{words.draft}</p>}
      {(isDirty || !isQuiet) && (
        <div class="row">
          <Button type="submit" kind="primary" isBusy={form.isBusy} isDisabled={!isDirty}>
            {save}
          </Button>
          {isDirty && (
            <Button kind="quiet" onClick={section.undo}>
              {words.undo}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
