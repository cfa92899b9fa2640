import { PageTitle } from '#app/frame/page-title.tsx';
import { AddWebsiteForm } from './add-website-form.tsx';
import { useAddWebsiteWords } from './add-website-words.ts';

export function AddWebsitePage() {
  const words = useAddWebsiteWords();
  return (
    <div class="narrow">
      <PageTitle
        title={words.title}
        tabTitle={words.title}
        crumbs={[{ label: words.websites, href: '/websites' }]}
      />
      <section class="card">
        <AddWebsiteForm />
      </section>
    </div>
  );
}
