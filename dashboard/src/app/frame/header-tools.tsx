import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

type Holder = {
  tools: ComponentChildren;
  set(tools: ComponentChildren): void;
  listen(listener: (tools: ComponentChildren) => void): () => void;
};

const HeaderToolsContext = createContext<Holder | undefined>(undefined);

/** Lets a page put its controls into the header, which is not a part of it. */
export function HeaderToolsProvider({ children }: { children: ComponentChildren }) {
  const holder = useMemo(createHolder, []);
  return <HeaderToolsContext.Provider value={holder}>{children}</HeaderToolsContext.Provider>;
}

/** Where they appear. */
export function HeaderTools() {
  const holder = useContext(HeaderToolsContext);
  const [tools, setTools] = useState<ComponentChildren>(() => holder?.tools);
  useLayoutEffect(() => holder?.listen(setTools), [holder]);
  return <div class="header-tools">{tools}</div>;
}

/** Shows its children in the header; in their own place where there is none. */
export function InHeader({ children }: { children: ComponentChildren }) {
  const holder = useContext(HeaderToolsContext);
  // Before the next paint: what is in the header and what is on the page change together.
  useLayoutEffect(() => holder?.set(children));
  useEffect(() => () => holder?.set(undefined), [holder]);
  return holder === undefined ? <div class="header-tools">{children}</div> : <HeaderToolsRoom />;
}

/** On a narrow page they hang below the header, over the top of the page: it leaves room for them. */
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
