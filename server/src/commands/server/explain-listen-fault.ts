import { CommandError } from '../command.ts';

/** Says what to do when a port can't be opened. Returns any other error as it is. */
export function explainListenFault(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
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
