import type { Damage, DamageLog } from '../damage/damage-log.ts';

/**
 * Keeps the known damage of a moment ago. Commands settle damage too, and a request for health must not wait.
 */
export async function watchDamage(damage: Pick<DamageLog, 'list'>, intervalMs: number) {
  let known: readonly Damage[] = await damage.list();
  let isReading = false;
  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    known = await damage.list();
    isReading = false;
  }, intervalMs);
  timer.unref();
  return {
    list: (): readonly Damage[] => known,
    stop: () => clearInterval(timer),
  };
}
