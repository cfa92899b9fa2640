import { stepOf } from './step-of.ts';
import type { World } from './use-world.ts';

type Props = {
  world: World;
  values: readonly { code: string; value: number }[];
  selected: readonly string[];
};

/** The shapes of the countries. Those that are too small to see get a dot when they have visitors. */
export function MapShapes({ world, values, selected }: Props) {
  const most = Math.max(...values.map(({ value }) => value), 0);
  const stepByCode = new Map(values.map(({ code, value }) => [code, stepOf(value, most)]));
  const attributes = (code: string) => ({
    'data-code': code,
    'data-step': stepByCode.get(code),
    'data-selected': selected.includes(code) ? '' : undefined,
  });
  return (
    <>
      {Object.entries(world.countries).map(([code, path]) => (
        <path key={code} d={path} class="map-country" {...attributes(code)} />
      ))}
      {Object.entries(world.dots).map(
        ([code, [x, y]]) =>
          stepByCode.has(code) && (
            <circle key={code} cx={x} cy={y} r={7} class="map-country" {...attributes(code)} />
          ),
      )}
    </>
  );
}
