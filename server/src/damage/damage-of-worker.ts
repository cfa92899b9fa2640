import { type Damage, type DamageLog, unforgetDamage } from './damage-log.ts';

type Told = Omit<Damage, 'foundAt'>;

/**
 * All workers write to one list of damage. Segments have the same numbers in each journal, so what the others
 * find has the number of the worker in its id.
 */
export function damageOfWorker(worker: number, told: Told): Told {
  if (worker === 1) return told;
  const id = `${prefixOf(worker)}${told.id}`;
  return { ...told, id, says: `worker ${worker}: ${told.says}`, todo: told.todo.replaceAll(told.id, id) };
}

/** The list of damage for one worker, which settles nothing that another one has found. */
export function damageLogOfWorker(log: DamageLog, worker: number): DamageLog {
  if (worker === 1) return log;
  return {
    list: log.list,
    report: (found) => log.report(damageOfWorker(worker, found)),
    unforget: (id) => log.unforget(`${prefixOf(worker)}${id}`),
    settle: (isMended) => log.settle((damage) => damage.id.startsWith(prefixOf(worker)) && isMended(damage)),
  };
}

/** If there is such a worker again, its journal begins with the same numbers. */
export function unforgetWorker(folder: string, worker: number): Promise<void> {
  return unforgetDamage(folder, (id) => id.startsWith(prefixOf(worker)));
}

const prefixOf = (worker: number) => `w${worker}-`;
