import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useAccessWords } from './access-words.ts';
import { useEditWebsiteWords } from './edit-website-words.ts';
import './settings-nav.css';

/** A placeholder with the size of the page while the settings are loading. */
export function EditWebsiteSkeleton() {
  const words = useEditWebsiteWords();
  const access = useAccessWords();
  return (
    <div class="settings">
      <div class="settings-nav">
        <Skeleton height={32} />
      </div>
      <div class="settings-columns">
        <div class="settings-column">
          <div class="stack">
            <Card title={access.key.title}>
              <Skeleton width="86%" />
              <Skeleton height={46} />
              <Skeleton width="70%" height={36} />
              <Skeleton height={84} />
            </Card>
            <Card title={access.requests.title}>
              <Skeleton width="86%" />
              <Skeleton height={120} />
            </Card>
          </div>
          <Card title={access.share.title}>
            <Skeleton width="86%" />
          </Card>
        </div>
        <div class="settings-column">
          <Card title={words.website.title}>
            <Skeleton height={36} />
            <Skeleton height={36} />
            <Skeleton height={36} />
            <Skeleton width="120px" height={36} />
          </Card>
          <Card title={words.quota.title}>
            <Skeleton width="50%" />
            <Skeleton height={8} />
          </Card>
        </div>
      </div>
    </div>
  );
}
