import type { Handler } from '../../handler/create-handler.ts';
import { type NodeRequest, type NodeResponse, toIncomingRecord } from './node-request.ts';
import { sendNodeAnswer } from './send-node-answer.ts';

/**
 * Handles a `node:http` request and sends its answer. No fault may become an exception that ends the process.
 */
export function answerNodeRequest<R extends NodeRequest>(
  handler: Handler<R>,
  req: R,
  res: NodeResponse,
  target: string,
): void {
  handler
    .handle(toIncomingRecord(req, target), req)
    .then((answer) => sendNodeAnswer(req, res, answer))
    .catch(() => res.destroy());
}
