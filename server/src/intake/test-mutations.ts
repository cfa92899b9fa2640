/** Random changes to a valid body, for tests: what a client can get wrong, at any depth. */
import fc from 'fast-check';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Mutation = { at: number; kind: (typeof kinds)[number]; value: unknown; letters: number };

const kinds = ['delete', 'replace', 'misspell', 'misspell beside', 'add', 'repeat'] as const;
const words = `
  0 null EN en-US xx EU eu XK de /a http:a http:// https://a.test/ HTTPS://a.test android-app://a.b
  2026-11-17T09:30:00 2026-02-30T09:30:00Z 2026-11-17T09:30:00.5-23:59 1970-01-01T00:00:00Z
  ::1 ::ffff:1.2.3.4 1.2.3.4 1.2.3 fe80::1%eth0 1.2.3.4:80 [::1]
`;
const telling: Json[] = [
  null,
  true,
  0,
  -1,
  -0,
  0.5,
  100_000,
  100_000.5,
  1e308,
  '',
  ' ',
  '\u00a0\u2003',
  [],
  {},
  [[]],
  [{}],
  { Name: 'a', Value: 'b' },
  'a'.repeat(64),
  'a'.repeat(65),
  'é'.repeat(256),
  'a'.repeat(257),
  'e\u0301'.repeat(200),
  '👩‍👩‍👧'.repeat(40),
  'a'.repeat(512),
  'a'.repeat(513),
  'a'.repeat(2048),
  'a'.repeat(2049),
  '\ud800',
  '\u0000',
  '\u212Aa',
  'u\u017F',
  'https://a.test/'.padEnd(8192, 'a'),
  'https://a.test/'.padEnd(8193, 'a'),
  ...words.trim().split(/\s+/),
];

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom(...kinds),
  value: fc.oneof(
    { arbitrary: fc.constantFrom(...telling), weight: 3 },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  ),
  letters: fc.nat(),
});

/** Returns a changed copy, without values that JSON can't represent. */
export function mutate(body: unknown, mutations: readonly Mutation[]): unknown {
  const root = { body: structuredClone(body) as Json };
  for (const change of mutations) apply(root, change);
  return JSON.parse(JSON.stringify(root.body ?? null));
}

function apply(root: { body: Json }, { at, kind, value, letters }: Mutation): void {
  const places = placesOf(root);
  const place = places[at % places.length];
  if (place === undefined) return;
  const { holder, name } = place;
  const set = (key: string, to: Json) => {
    Object.defineProperty(holder, key, { value: to, writable: true, enumerable: true, configurable: true });
  };
  const old = (holder as Record<string, Json>)[name]!;
  // This is a copy, because later changes would alter the drawn value itself, which shrinking uses again.
  if (kind === 'replace') set(name, structuredClone(value) as Json);
  else if (kind === 'repeat')
    set(
      name,
      Array.from({ length: letters % 14 }, () => structuredClone(old)),
    );
  else if (kind === 'add' && Array.isArray(holder)) holder.push(structuredClone(value) as Json);
  else if (kind === 'add')
    set(['__proto__', 'Extra', 'constructor'][letters % 3]!, structuredClone(value) as Json);
  else if (kind === 'delete' && !Array.isArray(holder)) delete (holder as Record<string, Json>)[name];
  else if (kind === 'delete') (holder as Json[]).splice(Number(name), 1);
  else if (!Array.isArray(holder)) {
    if (kind === 'misspell') delete (holder as Record<string, Json>)[name];
    set(changeCase(name, letters), old);
  }
}

function placesOf(value: Json | { body: Json }): { holder: object; name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    { holder: value, name },
    ...placesOf(member as Json),
  ]);
}

function changeCase(name: string, letters: number): string {
  return [...name]
    .map((letter, index) =>
      ((letters >> (index % 31)) & 1) === 1 ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join('');
}
