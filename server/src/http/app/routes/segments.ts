import { segmentShape, segmentsShape } from '@trackside/contract/app/answers.ts';
import { changeSegment } from '../../../actions/change-segment.ts';
import { removeSegment } from '../../../actions/remove-segment.ts';
import { saveSegment } from '../../../actions/save-segment.ts';
import type { User } from '../../../control/accounts/user-row.ts';
import type { Control } from '../../../control/open-control.ts';
import type { SavedSegment } from '../../../control/websites/saved-segments.ts';
import { AppFault, notFound } from '../app-fault.ts';
import { type AppRequest, appRoute } from '../app-route.ts';
import { addSegmentBody, changeSegmentBody } from '../forms.ts';
import { readId } from '../read-id.ts';
import { toSegmentAnswer } from '../to-answers.ts';

/**
 * Returns the routes of saved sets of filters. Everybody may keep some for themselves. Those that everybody at
 * the website sees are for admins to change.
 */
export function segmentRoutes(control: Pick<Control, 'savedSegments' | 'transact'>) {
  /** Finds the segment that a request wants to change, or throws the fault. */
  async function findOwn({ user, website, params }: AppRequest): Promise<SavedSegment> {
    const id = readId(params.segmentId);
    const segment = id && (await control.savedSegments.find(website.id, id, user.id));
    if (!segment) throw notFound();
    checkMayChange(user, segment);
    return segment;
  }
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/segments',
      access: 'user',
      summary: 'List the segments of a website, including your own',
      answers: { code: 200, schema: segmentsShape, description: 'Segments, sorted by name.' },
      handle: async ({ website, user }) => ({
        body: { segments: (await control.savedSegments.list(website.id, user.id)).map(toSegmentAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/segments',
      access: 'user',
      summary: 'Save filters as a segment',
      body: addSegmentBody,
      answers: { code: 201, schema: segmentShape, description: 'Saved.' },
      async handle({ user, website, body: { isPersonal, name, filters } }) {
        const segment = { name, filters, userId: isPersonal ? user.id : null };
        checkMayChange(user, segment);
        return { body: toSegmentAnswer(await saveSegment(control, user, { website, segment })) };
      },
    }),
    appRoute({
      method: 'PATCH',
      path: '/api/websites/:id/segments/:segmentId',
      access: 'user',
      summary: 'Change the name or the filters of a segment',
      body: changeSegmentBody,
      answers: { code: 200, schema: segmentShape, description: 'Changed.' },
      async handle(request) {
        const { user, website, body: changes } = request;
        const { id } = await findOwn(request);
        const segment = await changeSegment(control, user, { website, id, changes });
        if (segment === undefined) throw notFound();
        return { body: toSegmentAnswer(segment) };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/segments/:segmentId',
      access: 'user',
      summary: 'Delete a segment',
      answers: { code: 204, description: 'Deleted.' },
      async handle(request) {
        const { user, website } = request;
        const { id } = await findOwn(request);
        if ((await removeSegment(control, user, { website, id })) === undefined) throw notFound();
        return {};
      },
    }),
  ];
}

function checkMayChange({ role }: User, { userId }: Pick<SavedSegment, 'userId'>): void {
  if (userId === null && role !== 'admin') throw new AppFault('forbidden', 'Forbidden: this needs an admin');
}
