import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';

/** Says when the server last removed records that are too old. */
export function LastRemoval({ retention: { lastRunAt } }: Pick<WebsiteSettings, 'retention'>) {
  return (
    <p class="faint small">
      {lastRunAt === null ? (
        'Old records are removed once a day; not yet since the server started.'
      ) : (
        <>
          Old records were last removed <Ago at={lastRunAt} />
        </>
      )}
    </p>
  );
}
