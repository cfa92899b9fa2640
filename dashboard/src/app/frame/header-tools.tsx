import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

type Holder = {
  tools: ComponentChildren;
  set(tools: ComponentChildren): void;
  listen(listener: (tools: ComponentChildren) => void): () => void;
};

const HeaderToolsContext = createContext<Holder | undefined>(undefined);

/** Lets a page put its controls into the header, which is outside of the page. */
export function HeaderToolsProvider({ children }: { children: ComponentChildren }) {
  const holder = useMemo(createHolder, []);
  return <HeaderToolsContext.Provider value={holder}>{children}</HeaderToolsContext.Provider>;
}

/** The place in the header where the controls of the page appear. */
export function HeaderTools() {
  const holder = useContext(HeaderToolsContext);
  const [tools, setTools] = useState<ComponentChildren>(() => holder?.tools);
  useLayoutEffect(() => holder?.listen(setTools), [holder]);
  return <div class="header-tools">{tools}</div>;
}

/** Shows its children in the header, or in place where there is no header. */
export function InHeader({ children }: { children: ComponentChildren }) {
  const holder = useContext(HeaderToolsContext);
  // A layout effect, so that the header and the page change in the same paint.
  useLayoutEffect(() => holder?.set(children));
  useEffect(() => () => holder?.set(undefined), [holder]);
  return holder === undefined ? <div class="header-tools">{children}</div> : <HeaderToolsRoom />;
}

/** Keeps room at the top of a narrow page, where the controls hang below the header. */
export const HeaderToolsRoom = () => <div class="header-tools-room" />;

function createHolder(): Holder {
  const listeners = new Set<(tools: ComponentChildren) => void>();
  return {
    tools: undefined,
    set(tools) {
      this.tools = tools;
      for (const listener of listeners) listener(tools);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
