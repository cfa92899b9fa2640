import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether an element is on the screen, or soon will be. */
export function useIsSeen<Kind extends Element>(): [ref: { current: Kind | null }, isSeen: boolean] {
  const ref = useRef<Kind>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => setIsSeen(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: '120px' },
    );
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen];
}
