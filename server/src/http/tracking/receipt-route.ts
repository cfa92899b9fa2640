import type { FastifyInstance } from 'fastify';
import type { Website } from '../../control/websites/website-row.ts';
import type { ReceivedRecord } from '../../intake/receipts/receipts.ts';
import type { FoundRecord } from '../../stats/create-statistics.ts';
import { QuestionTooLarge, StoreAway } from '../../stats/faults.ts';
import { answerText } from '../server/answer.ts';
import type { Tracking } from './create-tracking.ts';

type Parts = {
  tracking: Pick<Tracking, 'open' | 'canOpenLater' | 'openLater' | 'readReceipt'>;
  find: (website: Website, record: ReceivedRecord) => Promise<FoundRecord>;
};

const messages: Record<FoundRecord['state'], string> = {
  'on-disk': 'The record is on disk, and not in the store yet: ask again in a few seconds',
  stored: 'The record is in the store',
  gone:
    'The store does not have the record: it was erased, is older than the website keeps records, ' +
    'or is in the store of another server',
};
const unknown = 'Unknown receipt: expected one that a record of this website was answered with';
const storeAway = 'The store cannot be asked at the moment: try again later';

/** Returns the route that says where a record is, to whoever has the API key of its website. */
export function receiptRoute({ tracking, find }: Parts) {
  return {
    method: 'GET' as const,
    path: '/api/receipt/:receipt',
    isTracking: true,
    register(app: FastifyInstance) {
      app.get<{ Params: { receipt: string } }>('/api/receipt/:receipt', async (request, reply) => {
        reply.header('Cache-Control', 'no-store').type('application/json');
        const headers = { authorization: request.headers.authorization, idempotencyKey: undefined };
        const open = () => tracking.open('page_view', headers);
        const first = open();
        const opened = tracking.canOpenLater(first, headers)
          ? await tracking.openLater(open, headers)
          : first;
        if ('refused' in opened) {
          const code = opened.refused === 'control-away' ? 503 : 401;
          if (code === 503) reply.header('Retry-After', '5');
          return reply.code(code).send(answerText(code, opened.message));
        }
        const { website } = opened;
        const record = tracking.readReceipt(website, request.params.receipt);
        // The same answer for a receipt of another website and for one that never was.
        if (record === undefined) return reply.code(404).send(answerText(404, unknown));
        try {
          const { state, day } = await find(website, record);
          const answer = { Code: 200, Message: messages[state], State: state, Day: day };
          return reply.code(200).send(JSON.stringify(answer));
        } catch (error) {
          if (!(error instanceof StoreAway) && !(error instanceof QuestionTooLarge)) throw error;
          return reply.code(503).header('Retry-After', '5').send(answerText(503, storeAway));
        }
      });
    },
  };
}
