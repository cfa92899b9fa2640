import type { Person, PersonOptions } from './create-person-maker.ts';
import { createRandom } from './create-random.ts';
import type { DemoDay } from './plan-days.ts';

/** Someone with an account. The website sends a ClientId, so that they are recognized on another day. */
type Member = { person: Person; firstIndex: number; lastIndex: number; visitsPerDay: number };

/**
 * Members per visit of a day. With a visit every three or four days, they are a few percent of all visits.
 */
const share = 0.16;
const weeksOfUse = [2, 22] as const;
const weekendFactor = 0.45;
const weekdayFactor = 1.2;

/** Returns a function that says which members come on a day. */
export function planMembers(options: {
  days: readonly DemoDay[];
  visitsPerDay: number;
  seed: number;
  makePerson: (options: PersonOptions) => Person;
}): (day: DemoDay) => Person[] {
  const { days, visitsPerDay, seed, makePerson } = options;
  const random = createRandom(seed, 'members');
  const [minDays, maxDays] = [weeksOfUse[0] * 7, weeksOfUse[1] * 7];
  const meanDays = (minDays + maxDays) / 2;
  // Members who joined before the first day can visit on it, too.
  const count = Math.ceil((visitsPerDay * share * (days.length + maxDays)) / meanDays);
  const startMs = days[0]?.startMs ?? 0;

  const members = Array.from({ length: count }, (_, index): Member => {
    const firstIndex = random.between(-maxDays, days.length - 1);
    const clientId = `member-${index + 1}`;
    const atMs = days[Math.max(0, firstIndex)]?.startMs ?? startMs;
    return {
      person: makePerson({ random, atMs, isWeekend: false, clientId }),
      firstIndex,
      lastIndex: firstIndex + random.between(minDays, maxDays),
      visitsPerDay: 0.12 + 0.4 * random.next() ** 2,
    };
  });

  return ({ index, day, isWeekend }) => {
    const chances = createRandom(seed, 'members', day);
    const factor = isWeekend ? weekendFactor : weekdayFactor;
    return members
      .filter((member) => chances.chance(member.visitsPerDay * factor) && isActive(member, index))
      .map(({ person }) => person);
  };
}

function isActive({ firstIndex, lastIndex }: Member, index: number): boolean {
  return firstIndex <= index && index <= lastIndex;
}
