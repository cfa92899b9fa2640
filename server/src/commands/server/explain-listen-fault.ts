import { CommandError } from '../command.ts';

/** Says what to do when a port can't be opened. Returns any other error as it is. */
export function explainListenFault(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  // Other names are looked up too, such as that of a database.
  if (error.syscall === 'getaddrinfo' && 'hostname' in error && error.hostname === host) {
    return new CommandError(
      `--host: cannot find the address of "${host}" (${error.code}). ` +
        'Expected an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
    );
  }
  // Operations on files fail with the same codes.
  if (error.syscall !== 'listen') return error;
  if (error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another --port.`,
    );
  }
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new CommandError(
      `Cannot listen on ${host}, port ${port} (${error.code}). Choose another --host or --port.`,
    );
  }
  return error;
}
