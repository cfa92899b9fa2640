import type {
  ActivityAnswer,
  ApiKeyAnswer,
  AuditAnswer,
  DeletionAnswer,
  DemoAnswer,
  DryRunAnswer,
  ErasedAnswer,
  ExcludedAnswer,
  FunnelAnswer,
  FunnelsAnswer,
  GoalAnswer,
  NewApiKeyAnswer,
  NewReadTokenAnswer,
  NoteAnswer,
  NotesAnswer,
  ReadTokensAnswer,
  RecentRequestsAnswer,
  SegmentAnswer,
  SegmentsAnswer,
  SessionAnswer,
  SessionsAnswer,
  SetupAnswer,
  ShareAnswer,
  TestViewAnswer,
  UserAnswer,
  UsersAnswer,
  WebsiteSettingsAnswer,
  WebsitesAnswer,
} from '@trackside/contract/app/answers.ts';
import type {
  AddFunnelForm,
  AddGoalForm,
  AddNoteForm,
  AddSegmentForm,
  AddUserForm,
  AddWebsiteForm,
  ChangeGoalForm,
  ChangePasswordForm,
  ChangeSegmentForm,
  ChangeUserForm,
  ChangeWebsiteForm,
  ChooseLanguageForm,
  DryRunForm,
  ExclusionsForm,
  RegenerateKeyForm,
  SetupForm,
  ShareForm,
  SignInForm,
  TestViewForm,
} from '@trackside/contract/app/forms.ts';
import type { LedgerAnswer } from '@trackside/contract/app/ledger.ts';
import type { RequestOptions, SendRequest } from './create-request.ts';
import { type Answer, ok, unreachable } from './fault.ts';

export type Api = ReturnType<typeof createApi>;

/** Every request to the node except those of the statistics, one line each. */
export function createApi(send: SendRequest) {
  const read = async <Value>(
    request: Parameters<SendRequest>,
    readBody: (response: Response) => Promise<Value>,
  ): Promise<Answer<Value>> => {
    const answer = await send(...request);
    if (!answer.isOk) return answer;
    try {
      return ok(await readBody(answer.value));
    } catch (error) {
      if (request[3]?.signal?.aborted) throw error;
      // The connection broke before all of the answer arrived.
      return { isOk: false, fault: unreachable };
    }
  };
  const json = <Value>(...request: Parameters<SendRequest>) =>
    read(request, (response) => response.json() as Promise<Value>);
  const done = async (...request: Parameters<SendRequest>): Promise<Answer<null>> => {
    const answer = await send(...request);
    return answer.isOk ? ok(null) : answer;
  };
  const get = <Value>(path: string, signal?: AbortSignal) => json<Value>('GET', path, undefined, { signal });
  const signingIn: RequestOptions = { isSigningIn: true };
  const site = (id: number) => `/api/websites/${id}`;

  return {
    setup: (signal?: AbortSignal) => get<SetupAnswer>('/api/setup', signal),
    setUp: (body: SetupForm) => json<SessionAnswer>('POST', '/api/setup', body, signingIn),

    session: () => json<SessionAnswer>('GET', '/api/session', undefined, signingIn),
    signIn: (body: SignInForm) => json<SessionAnswer>('POST', '/api/session', body, signingIn),
    signOut: () => done('DELETE', '/api/session', undefined, signingIn),
    signOutEverywhere: () => done('DELETE', '/api/sessions'),
    sessions: (signal?: AbortSignal) => get<SessionsAnswer>('/api/sessions', signal),
    endSession: (id: string) => done('DELETE', `/api/sessions/${id}`),
    chooseLanguage: (body: ChooseLanguageForm) => json<SessionAnswer>('PUT', '/api/session/language', body),
    changePassword: (body: ChangePasswordForm) => json<SessionAnswer>('PUT', '/api/session/password', body),

    /** Programs to copy, by the names of their files. */
    snippets: (signal?: AbortSignal) => get<Record<string, string>>('/snippets.json', signal),

    websites: (signal?: AbortSignal) => get<WebsitesAnswer>('/api/websites', signal),
    addWebsite: (body: AddWebsiteForm) => json<WebsiteSettingsAnswer>('POST', '/api/websites', body),
    settings: (id: number, signal?: AbortSignal) => get<WebsiteSettingsAnswer>(site(id), signal),
    changeSettings: (id: number, body: ChangeWebsiteForm) =>
      json<WebsiteSettingsAnswer>('PATCH', site(id), body),
    deleteWebsite: (id: number, confirm: string) => json<DeletionAnswer>('DELETE', site(id), { confirm }),
    deletion: (id: number) => get<DeletionAnswer>(`/api/deletions/${id}`),
    activity: (id: number, signal?: AbortSignal) => get<ActivityAnswer>(`${site(id)}/activity`, signal),
    requests: (id: number, after: string | undefined, signal?: AbortSignal) =>
      get<RecentRequestsAnswer>(
        `${site(id)}/requests${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
        signal,
      ),

    ledger: (id: number, from: string, to: string, signal?: AbortSignal) =>
      get<LedgerAnswer>(`${site(id)}/ledger?from=${from}&to=${to}`, signal),

    apiKey: (id: number) => get<ApiKeyAnswer>(`${site(id)}/key`),
    regenerateKey: (id: number, keepOldHours: RegenerateKeyForm['keepOldHours']) =>
      json<NewApiKeyAnswer>('POST', `${site(id)}/key`, { keepOldHours }),
    share: (id: number, body: ShareForm) => json<WebsiteSettingsAnswer>('PUT', `${site(id)}/share`, body),

    tokens: (id: number, signal?: AbortSignal) => get<ReadTokensAnswer>(`${site(id)}/tokens`, signal),
    addToken: (id: number, name: string) => json<NewReadTokenAnswer>('POST', `${site(id)}/tokens`, { name }),
    revokeToken: (id: number, tokenId: number) => done('DELETE', `${site(id)}/tokens/${tokenId}`),
    exportPerson: (id: number, clientId: string) =>
      read(['POST', `${site(id)}/person/export`, { clientId }], (response) => response.blob()),
    erasePerson: (id: number, clientId: string) =>
      json<ErasedAnswer>('POST', `${site(id)}/person/erase`, { clientId }),

    sendTestView: (id: number, body: TestViewForm) =>
      json<TestViewAnswer>('POST', `${site(id)}/test-view`, body),
    previewExclusions: (id: number, exclusions: ExclusionsForm['exclusions'], signal?: AbortSignal) =>
      json<ExcludedAnswer>('POST', `${site(id)}/exclusions/preview`, { exclusions }, { signal }),
    dryRun: (id: number, body: DryRunForm) => json<DryRunAnswer>('POST', `${site(id)}/dry-run`, body),
    demo: (id: number, signal?: AbortSignal) => get<DemoAnswer>(`${site(id)}/demo`, signal),
    loadDemo: (id: number, days: number) => json<DemoAnswer>('POST', `${site(id)}/demo`, { days }),
    removeDemo: (id: number) => json<DemoAnswer>('DELETE', `${site(id)}/demo`),

    notes: (id: number, signal?: AbortSignal) => get<NotesAnswer>(`${site(id)}/notes`, signal),
    addNote: (id: number, body: AddNoteForm) => json<NoteAnswer>('POST', `${site(id)}/notes`, body),
    changeNote: (id: number, noteId: number, body: AddNoteForm) =>
      json<NoteAnswer>('PUT', `${site(id)}/notes/${noteId}`, body),
    removeNote: (id: number, noteId: number) => done('DELETE', `${site(id)}/notes/${noteId}`),
    funnels: (id: number, signal?: AbortSignal) => get<FunnelsAnswer>(`${site(id)}/funnels`, signal),
    addFunnel: (id: number, body: AddFunnelForm) => json<FunnelAnswer>('POST', `${site(id)}/funnels`, body),
    arrangeFunnels: (id: number, ids: readonly number[]) =>
      json<FunnelsAnswer>('PUT', `${site(id)}/funnels`, { ids }),
    changeFunnel: (id: number, funnelId: number, body: AddFunnelForm) =>
      json<FunnelAnswer>('PUT', `${site(id)}/funnels/${funnelId}`, body),
    removeFunnel: (id: number, funnelId: number) => done('DELETE', `${site(id)}/funnels/${funnelId}`),
    segments: (id: number, signal?: AbortSignal) => get<SegmentsAnswer>(`${site(id)}/segments`, signal),
    addSegment: (id: number, body: AddSegmentForm) =>
      json<SegmentAnswer>('POST', `${site(id)}/segments`, body),
    changeSegment: (id: number, segmentId: number, body: ChangeSegmentForm) =>
      json<SegmentAnswer>('PATCH', `${site(id)}/segments/${segmentId}`, body),
    removeSegment: (id: number, segmentId: number) => done('DELETE', `${site(id)}/segments/${segmentId}`),
    addGoal: (id: number, body: AddGoalForm) => json<GoalAnswer>('POST', `${site(id)}/goals`, body),
    changeGoal: (id: number, goalId: number, body: ChangeGoalForm) =>
      json<GoalAnswer>('PATCH', `${site(id)}/goals/${goalId}`, body),
    removeGoal: (id: number, goalId: number) => done('DELETE', `${site(id)}/goals/${goalId}`),
    sharedWebsite: (token: string, signal?: AbortSignal) =>
      get<ShareAnswer>(`/api/share/${encodeURIComponent(token)}`, signal),

    users: (signal?: AbortSignal) => get<UsersAnswer>('/api/users', signal),
    addUser: (body: AddUserForm) => json<UserAnswer>('POST', '/api/users', body),
    changeUser: (id: number, body: ChangeUserForm) => json<UserAnswer>('PATCH', `/api/users/${id}`, body),
    removeUser: (id: number) => done('DELETE', `/api/users/${id}`),

    audit: (before: number | undefined, signal?: AbortSignal) =>
      get<AuditAnswer>(`/api/audit${before === undefined ? '' : `?before=${before}`}`, signal),
  };
}
