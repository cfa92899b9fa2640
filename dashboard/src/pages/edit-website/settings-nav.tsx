import { useEffect } from 'preact/hooks';
import { useRouter } from '#app/routing/router.ts';
import { useAccessWords } from './access-words.ts';
import { useEditWebsiteWords } from './edit-website-words.ts';
import { useExclusionWords } from './exclusions/exclusion-words.ts';
import './settings-nav.css';

/** Lists the sections of the settings, each with a link to it. */
export function SettingsNav() {
  const words = useEditWebsiteWords();
  const access = useAccessWords();
  const exclusions = useExclusionWords();
  const router = useRouter();
  // The address may name a section, which wasn't there yet when the browser looked for it.
  useEffect(() => {
    const { hash } = router.place();
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [router]);
  const sections = [
    { id: 'key', label: access.key.title },
    { id: 'requests', label: access.requests.title },
    { id: 'tokens', label: access.tokens.title },
    { id: 'share', label: access.share.title },
    { id: 'people', label: access.people.title },
    { id: 'website', label: words.website.title },
    { id: 'addresses', label: words.addresses.title },
    { id: 'exclusions', label: exclusions.title },
    { id: 'quota', label: words.quota.title },
    { id: 'data', label: words.data.title },
    { id: 'delete', label: words.remove.title },
  ];
  return (
    <nav class="settings-nav" aria-label={words.sections}>
      <ul>
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
