/**
 * Ends the process at a signal while there is nothing to finish yet, which may take long without PostgreSQL.
 * The first process of a container would ignore a signal that it doesn't handle. Returns how to stop that.
 */
export function endAtSignal(): () => void {
  const end = () => process.exit(0);
  process.on('SIGTERM', end).on('SIGINT', end);
  return () => void process.off('SIGTERM', end).off('SIGINT', end);
}
