/** The result of a check in one line, and what to do about it if anything. */
export type Finding = { state: 'ok' | 'warning' | 'fault'; says: string; todo: string | undefined };

export const ok = (says: string): Finding => ({ state: 'ok', says, todo: undefined });
export const warning = (says: string, todo: string): Finding => ({ state: 'warning', says, todo });
export const fault = (says: string, todo: string): Finding => ({ state: 'fault', says, todo });

export function showBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}
