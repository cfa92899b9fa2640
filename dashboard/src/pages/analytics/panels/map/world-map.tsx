import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePanelsWords } from '../panels-words.ts';
import { MapShapes } from './map-shapes.tsx';
import { MapTip } from './map-tip.tsx';
import type { World } from './use-world.ts';
import { zoomTo } from './zoom-to.ts';
import './world-map.css';

export type MapValue = { code: string; name: string; shown: string; note: string; value: number };

type Props = {
  world: World | undefined;
  values: readonly MapValue[];
  selected: readonly string[];
  /** Describes the map for screen readers. */
  label: string;
  nameOf: (code: string) => string;
  onSelect: (code: string) => void;
};

type Pointed = { code: string; x: number; y: number };

/** The world, with each country shaded by its visitors. The list below offers the same to keyboard users. */
export function WorldMap({ world, values, selected, label, nameOf, onSelect }: Props) {
  const words = usePanelsWords().map;
  const root = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed>();
  // Redrawn when the numbers change, not with every move of the pointer.
  const shapes = useMemo(
    () => world && <MapShapes world={world} values={values} selected={selected} />,
    [world, values, selected],
  );
  const [viewBox, setViewBox] = useState<string>();
  const [only] = selected;
  const zoomed = selected.length === 1 ? only : undefined;
  useLayoutEffect(() => {
    const shape = root.current?.querySelector<SVGGraphicsElement>(`[data-code="${zoomed}"]`);
    setViewBox(world && shape ? zoomTo(shape.getBBox(), world.viewBox) : undefined);
  }, [world, zoomed]);
  const byCode = useMemo(() => new Map(values.map((value) => [value.code, value])), [values]);

  function point(event: PointerEvent): void {
    const code = codeAt(event);
    const box = root.current?.getBoundingClientRect();
    const isOn = code !== undefined && box !== undefined;
    setPointed(isOn ? { code, x: event.clientX - box.left, y: event.clientY - box.top } : undefined);
  }
  function select(event: MouseEvent): void {
    const code = codeAt(event);
    // Filtering by a country without visitors would only empty the page.
    if (code !== undefined && byCode.has(code)) onSelect(code);
  }

  const value = pointed && byCode.get(pointed.code);
  return (
    <div class="map" ref={root} onPointerLeave={() => setPointed(undefined)}>
      {world !== undefined && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list below has the same countries as buttons
        <svg
          viewBox={viewBox ?? world.viewBox}
          role="img"
          aria-label={label}
          onPointerMove={point}
          onPointerDown={point}
          onClick={select}
        >
          {shapes}
        </svg>
      )}
      {pointed !== undefined && (
        <MapTip
          x={pointed.x}
          y={pointed.y}
          width={root.current?.clientWidth ?? 0}
          code={pointed.code}
          name={value?.name ?? nameOf(pointed.code)}
          shown={value?.shown ?? words.noVisitors}
          note={value?.note ?? ''}
        />
      )}
    </div>
  );
}

function codeAt({ target }: Event): string | undefined {
  return target instanceof SVGElement ? target.dataset.code : undefined;
}
