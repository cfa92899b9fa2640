import type { Damage, DamageLog } from '../damage/damage-log.ts';

/**
 * What is known of damage, as of a moment ago: commands settle it too, and whoever asks for health must not
 * wait.
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
