import { SystemFaultError } from '../../files/system-fault.ts';

/**
 * An error that PostgreSQL reports. It has only the code and the message: the library also attaches values of
 * rows and the connection, which must not get into a log.
 */
export class PostgresError extends Error {
  override name = 'PostgresError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Serialization failure, and deadlock. */
const conflicts = ['40001', '40P01'];
/** A statement or a wait for a lock took too long. */
const timeouts = ['57014', '55P03'];
/**
 * Classes of codes that say that the server can't be used at the moment: connection, resources, shutdown. The
 * last two are read-only, as after a failover.
 */
const awayClasses = ['08', '53', '58'];
const awayCodes = ['57P01', '57P02', '57P03', '57P05', '25006', '25P03', ...timeouts];

/** The user or the password is wrong, the user may not do this, or there is no such database or schema. */
const deniedClasses = ['28'];
const deniedCodes = ['42501', '3D000', '3F000'];

/** What Node's TLS says of a certificate: its issuer is unknown, its time is over, or its name is another one. */
const isOfCertificate = (code: string) =>
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|ERR_TLS_CERT_)/.test(code);

/** Returns whether the transaction was undone in favor of another one, so that it can be repeated. */
export const isConflict = (error: unknown): boolean =>
  error instanceof PostgresError && conflicts.includes(error.code);

/** Turns whatever the library throws into an error that can be logged. `name` is what the database is called. */
export function toPostgresError(error: unknown, name: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof PostgresError || error instanceof SystemFaultError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (deniedClasses.includes(code.slice(0, 2)) || deniedCodes.includes(code))
    return new SystemFaultError({
      kind: 'denied',
      says: `${name} refuses access (${error.message})`,
      todo: 'check the user, the password and the database in TRACKSIDE_DATABASE_URL, and what the user may do',
    });
  const isReported = /^[0-9A-Z]{5}$/.test(code);
  if (isReported && !awayClasses.includes(code.slice(0, 2)) && !awayCodes.includes(code))
    return new PostgresError(error.message, code);
  if (isOfCertificate(code))
    return new SystemFaultError({
      kind: 'away',
      // Node goes on with advice for programmers.
      says: `${name} has a certificate that is not trusted (${error.message.split(';')[0]})`,
      todo: 'set sslrootcert to the certificate of its authority, and use the host name that it was issued for',
    });
  const why = error.message || code || error.name;
  return new SystemFaultError({
    kind: 'away',
    says: `${name} cannot be used at the moment (${why})`,
    todo: 'check that PostgreSQL is running and can be reached from here',
  });
}
