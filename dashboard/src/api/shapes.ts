/** What the node answers: its own definitions, of which only the types get here. */
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
