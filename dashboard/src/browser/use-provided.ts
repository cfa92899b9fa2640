import type { Context } from 'preact';
import { useContext } from 'preact/hooks';

/** Returns the value of a context that a component above has to provide. */
export function useProvided<Value>(context: Context<Value | undefined>): Value {
  const value = useContext(context);
  if (value === undefined) throw new Error('expected to be inside of the provider of this context');
  return value;
}
