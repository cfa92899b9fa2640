import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Deletion, WebsiteSettings } from '#api/shapes.ts';
import { usePolling } from '#api/use-polling.ts';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useRouter } from '#app/routing/router.ts';
import { Banner } from '#design/display/banner.tsx';
import { Progress } from '#design/display/progress.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useEditWebsiteWords } from '../edit-website-words.ts';

/** Shows the progress of a deletion, and returns to the list when it is done. */
export function DeletionProgress({ website: { id, name } }: { website: WebsiteSettings }) {
  const { remove: words } = useEditWebsiteWords();
  const api = useApi();
  const router = useRouter();
  const websites = useWebsites();
  const say = useToast();
  const format = useFormat();
  const [deletion, setDeletion] = useState<Deletion>();

  usePolling(
    async () => {
      const answer = await api.deletion(id);
      if (answer.isOk) setDeletion(answer.value);
      if (answer.isOk) return answer.value.state === 'done' ? finish() : answer.value.state === 'running';
      if (answer.fault.kind !== 'not-found') return false;
      // The node was restarted and continues the deletion on its own. It is done when the website is gone.
      const settings = await api.settings(id);
      return !settings.isOk && settings.fault.kind === 'not-found' ? finish() : false;
    },
    { everyMs: 700, slowestMs: 5_000, subject: String(id) },
  );
  function finish(): boolean {
    say(words.done(name));
    websites.reload();
    router.go('/websites', { replace: true });
    return false;
  }

  if (deletion?.state === 'failed') return <Banner kind="bad">{words.failed}</Banner>;
  const { deletedRecords, allRecords } = deletion ?? { deletedRecords: 0, allRecords: 0 };
  const text = format.count(allRecords, words.deleted(format.number(deletedRecords)));
  return (
    <div class="stack-tight">
      <Progress label={words.progress} done={deletedRecords} all={allRecords} valueText={text} />
      <p class="faint small">{allRecords === 0 ? words.deleting : text}</p>
    </div>
  );
}
