import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { User } from '../../control/accounts/user-row.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { EventStream, eventStreamType } from './open-event-stream.ts';
import type { Form } from './read-form.ts';

/** Who may call a route. `admin` and `user` need a session. */
export type Access = 'anyone' | 'user' | 'admin';

export type AppAnswer = {
  code?: number;
  body?: object;
  /** Sent instead of a body. */
  stream?: { content: Readable; type: string; fileName: string };
  /**
   * Sent instead of a body: events, until one side closes the connection. May throw before it opens the
   * stream.
   */
  events?: (open: () => EventStream) => void;
  /** Sets the session cookie, or clears it. */
  session?: { token: string; expiresAt: number } | 'ended';
  /** Sets the cookie that identifies the browser at its next sign-in. */
  deviceProof?: string;
};

/** Where a request comes from. */
export type AppSender = {
  /** The client's address, if it is known. */
  address: string | undefined;
  /** The proof that the browser keeps from an earlier sign-in. It is not verified yet. */
  deviceProof: string | undefined;
  /** The browser and its system, such as "Firefox on Linux". Empty if they aren't known. */
  device: string;
};

/** A request that has passed all guards: the user has access, also to the website, and the body is valid. */
export type AppRequest<Schema extends TObject = TObject> = AppSender & {
  user: User;
  website: Website;
  sessionToken: string;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  body: Static<Schema>;
  /** Checks the session and the user's access again, for an answer that stays open. */
  isStillAllowed: () => Promise<boolean>;
};

/** A parameter in the query, as the document describes it. */
export type QueryParameter = { description: string; schema: object; isRequired?: true };

/** A route as data, so that guards, documentation and tests work the same way for all routes. */
export type AppRoute<Schema extends TObject = TObject> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path below `/api/websites/:id` is about a website. */
  path: `/api/${string}`;
  access: Access;
  /** Whether a command on this machine may ask too, with the proof that it can read the key file. */
  isForOperators?: true;
  summary: string;
  /** What else there is to know, in sentences. */
  description?: string;
  body?: Form<Schema>;
  query?: Record<string, QueryParameter>;
  /** The body of a successful answer; none for 204. It is JSON unless `type` or `types` say otherwise. */
  answers: {
    code: number;
    schema?: TSchema;
    type?: typeof eventStreamType;
    /** The types of a file. */
    types?: readonly string[];
    /** The audit log records that it was answered, so there is no HEAD answer. */
    isRecorded?: true;
    description: string;
  };
  /** Other answers by status, besides those that every route of its kind may give. */
  faults?: Readonly<Record<number, string>>;
  /** Throws to refuse a sender. It is called before the body is read, so it must be quick. */
  refuseEarly?(from: AppSender): void;
  handle(request: AppRequest<Schema>): Promise<AppAnswer>;
};

/** Checks a route with the types of its form, which the list of routes does not keep. */
export function appRoute<Schema extends TObject>(route: AppRoute<Schema>): AppRoute {
  return route as unknown as AppRoute;
}

/** The answer 422 of routes that ask the store. */
export const tooLargeToAnswer = 'The answer needs more time or memory than one request may use.';

/** Returns whether the id in the path must be that of a website that the user may see. */
export const isAboutWebsite = ({ path }: Pick<AppRoute, 'path'>) =>
  /^\/api\/websites\/:id(?:\/|$)/.test(path);
