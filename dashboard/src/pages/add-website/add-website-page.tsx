import { PageTitle } from '#app/frame/page-title.tsx';
import { AddWebsiteForm } from './add-website-form.tsx';

export function AddWebsitePage() {
  return (
    <div class="narrow">
      <PageTitle
        title="Add website"
        tabTitle="Add website"
        crumbs={[{ label: 'Websites', href: '/websites' }]}
      />
      <section class="card">
        <AddWebsiteForm />
      </section>
    </div>
  );
}
