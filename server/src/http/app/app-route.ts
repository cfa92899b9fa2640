import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { User } from '../../control/accounts/user-row.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { EventStream, eventStreamType } from './open-event-stream.ts';
import type { Form } from './read-form.ts';

/** Who may ask. `admin` and `user` need a session. */
export type Access = 'anyone' | 'user' | 'admin';

export type AppAnswer = {
  code?: number;
  body?: object;
  /** In place of a body. */
  stream?: { content: Readable; type: string; fileName: string };
  /** In place of a body: events, for as long as both sides stay. May throw until it opens the stream. */
  events?: (open: () => EventStream) => void;
  /** Sets the session's cookie, or takes it back. */
  session?: { token: string; expiresAt: number } | 'ended';
  /** Sets the cookie by which the browser is known at its next sign-in. */
  deviceProof?: string;
};

/** Where a request comes from. */
export type AppSender = {
  /** As far as it can be told. */
  address: string | undefined;
  /** What the browser keeps of an earlier sign-in. Not verified yet. */
  deviceProof: string | undefined;
};

/**
 * A request whose user may ask, about a website that the user may see, with a body that is as it should be.
 */
export type AppRequest<Schema extends TObject = TObject> = AppSender & {
  user: User;
  website: Website;
  sessionToken: string;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  body: Static<Schema>;
  /** Looks again at who asks and what they may see, for an answer that goes on. */
  isStillAllowed: () => Promise<boolean>;
};

/** One route, as data: what guards it, what documents it and what tests it are the same for all. */
export type AppRoute<Schema extends TObject = TObject> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/api/websites/:id` it is about a website. */
  path: `/api/${string}`;
  access: Access;
  summary: string;
  body?: Form<Schema>;
  query?: Record<string, string>;
  /** What a good answer holds; nothing for 204. JSON unless it is of another type. */
  answers: { code: number; schema?: TSchema; type?: typeof eventStreamType; description: string };
  /** What else it answers, by status, besides what every route of its kind may. */
  faults?: Readonly<Record<number, string>>;
  /** Throws for a sender whom it will not listen to. Asked before the body is read, so it must be quick. */
  refuseEarly?(from: AppSender): void;
  handle(request: AppRequest<Schema>): Promise<AppAnswer>;
};

/** Keeps the types of the form while the list of routes forgets them. */
export function appRoute<Schema extends TObject>(route: AppRoute<Schema>): AppRoute {
  return route as unknown as AppRoute;
}

/** Whether the id in the path must be that of a website which the user may see. */
export const isAboutWebsite = ({ path }: Pick<AppRoute, 'path'>) =>
  /^\/api\/websites\/:id(?:\/|$)/.test(path);
