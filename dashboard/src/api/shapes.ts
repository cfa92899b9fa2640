/** What the node answers. These are the contract's own types, under shorter names. */
export type {
  ActivityAnswer as Activity,
  AuditEntryAnswer as AuditEntry,
  DeletionAnswer as Deletion,
  FaultAnswer,
  FunnelAnswer as Funnel,
  LiveSceneAnswer as LiveScene,
  NoteAnswer as Note,
  ReadTokenAnswer as ReadToken,
  RecentRequestAnswer as RecentRequest,
  Role,
  SessionAnswer as Session,
  ShareAnswer,
  UsageAnswer as Usage,
  UserAnswer as User,
  WebsiteAnswer as Website,
  WebsiteSettingsAnswer as WebsiteSettings,
} from '@trackside/contract/app/answers.ts';
