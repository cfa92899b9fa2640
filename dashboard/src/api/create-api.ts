import type { RequestOptions, SendRequest } from './create-request.ts';
import { type Answer, ok } from './fault.ts';
import type {
  Activity,
  AuditEntry,
  Deletion,
  Funnel,
  Note,
  ReadToken,
  RecentRequest,
  Role,
  Session,
  ShareAnswer,
  User,
  Website,
  WebsiteSettings,
} from './shapes.ts';

type Settings = Pick<WebsiteSettings, 'name' | 'domain' | 'timezone' | 'contingent' | 'retentionDays'>;

export type SettingsChange = { version: number } & Partial<Settings>;
export type NewWebsite = { domain: string; name?: string; timezone: string; contingent: number | null };
export type NewUser = { email: string; password: string; role: Role; websites: number[] };
export type NewNote = Pick<Note, 'day' | 'text'>;
export type NewFunnel = Omit<Funnel, 'id'>;
export type UserChange = { role?: Role; websites?: number[]; password?: string };

export type Api = ReturnType<typeof createApi>;

/** Everything that can be asked of the node, one line each. */
export function createApi(send: SendRequest) {
  const json = async <Value>(...request: Parameters<SendRequest>): Promise<Answer<Value>> => {
    const answer = await send(...request);
    return answer.isOk ? ok((await answer.value.json()) as Value) : answer;
  };
  const done = async (...request: Parameters<SendRequest>): Promise<Answer<null>> => {
    const answer = await send(...request);
    return answer.isOk ? ok(null) : answer;
  };
  const get = <Value>(path: string, signal?: AbortSignal) => json<Value>('GET', path, undefined, { signal });
  const signingIn: RequestOptions = { isSigningIn: true };
  const site = (id: number) => `/api/websites/${id}`;

  return {
    setup: (signal?: AbortSignal) => get<{ isNeeded: boolean }>('/api/setup', signal),
    setUp: (body: { token: string; email: string; password: string }) =>
      json<Session>('POST', '/api/setup', body, signingIn),

    session: () => json<Session>('GET', '/api/session', undefined, signingIn),
    signIn: (body: { email: string; password: string }) =>
      json<Session>('POST', '/api/session', body, signingIn),
    signOut: () => done('DELETE', '/api/session', undefined, signingIn),
    signOutEverywhere: () => done('DELETE', '/api/sessions'),
    changePassword: (body: { currentPassword: string; newPassword: string }) =>
      json<Session>('PUT', '/api/session/password', body),

    websites: (signal?: AbortSignal) => get<{ websites: Website[] }>('/api/websites', signal),
    addWebsite: (body: NewWebsite) => json<WebsiteSettings>('POST', '/api/websites', body),
    settings: (id: number, signal?: AbortSignal) => get<WebsiteSettings>(site(id), signal),
    changeSettings: (id: number, body: SettingsChange) => json<WebsiteSettings>('PATCH', site(id), body),
    deleteWebsite: (id: number, confirm: string) => json<Deletion>('DELETE', site(id), { confirm }),
    deletion: (id: number) => get<Deletion>(`/api/deletions/${id}`),
    activity: (id: number, signal?: AbortSignal) => get<Activity>(`${site(id)}/activity`, signal),
    requests: (id: number, after: string | undefined, signal?: AbortSignal) =>
      get<{ requests: RecentRequest[]; skipped: number }>(
        `${site(id)}/requests${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
        signal,
      ),

    apiKey: (id: number) => get<{ apiKey: string }>(`${site(id)}/key`),
    regenerateKey: (id: number, keepOldHours: 0 | 24) =>
      json<{ apiKey: string; settings: WebsiteSettings }>('POST', `${site(id)}/key`, { keepOldHours }),
    share: (id: number, body: { isOn: boolean; renew?: boolean }) =>
      json<WebsiteSettings>('PUT', `${site(id)}/share`, body),

    tokens: (id: number, signal?: AbortSignal) => get<{ tokens: ReadToken[] }>(`${site(id)}/tokens`, signal),
    addToken: (id: number, name: string) =>
      json<ReadToken & { token: string }>('POST', `${site(id)}/tokens`, { name }),
    revokeToken: (id: number, tokenId: number) => done('DELETE', `${site(id)}/tokens/${tokenId}`),
    exportPerson: async (id: number, clientId: string): Promise<Answer<Blob>> => {
      const answer = await send('POST', `${site(id)}/person/export`, { clientId });
      return answer.isOk ? ok(await answer.value.blob()) : answer;
    },
    erasePerson: (id: number, clientId: string) =>
      json<{ records: number }>('POST', `${site(id)}/person/erase`, { clientId }),

    notes: (id: number, signal?: AbortSignal) => get<{ notes: Note[] }>(`${site(id)}/notes`, signal),
    addNote: (id: number, body: NewNote) => json<Note>('POST', `${site(id)}/notes`, body),
    removeNote: (id: number, noteId: number) => done('DELETE', `${site(id)}/notes/${noteId}`),
    funnels: (id: number, signal?: AbortSignal) => get<{ funnels: Funnel[] }>(`${site(id)}/funnels`, signal),
    addFunnel: (id: number, body: NewFunnel) => json<Funnel>('POST', `${site(id)}/funnels`, body),
    removeFunnel: (id: number, funnelId: number) => done('DELETE', `${site(id)}/funnels/${funnelId}`),
    sharedWebsite: (token: string, signal?: AbortSignal) =>
      get<ShareAnswer>(`/api/share/${encodeURIComponent(token)}`, signal),

    users: (signal?: AbortSignal) => get<{ users: User[] }>('/api/users', signal),
    addUser: (body: NewUser) => json<User>('POST', '/api/users', body),
    changeUser: (id: number, body: UserChange) => json<User>('PATCH', `/api/users/${id}`, body),
    removeUser: (id: number) => done('DELETE', `/api/users/${id}`),

    audit: (before: number | undefined, signal?: AbortSignal) =>
      get<{ entries: AuditEntry[]; hasMore: boolean }>(
        `/api/audit${before === undefined ? '' : `?before=${before}`}`,
        signal,
      ),
  };
}
