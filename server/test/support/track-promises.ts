/**
 * `npm test` loads this before `node:test`, which otherwise follows every promise of a process to find out which
 * suite a test belongs to. That takes V8 a quarter of the processor time of most tests. Only tests that are
 * declared after an `await` need it.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = asyncHooks;
let usual: AsyncHook | undefined;
let isTracking = false;

asyncHooks.createHook = (callbacks) => {
  // The runner's own hook is the first one. Whoever else makes one gets what they ask for.
  asyncHooks.createHook = createHook;
  usual = createHook(callbacks);
  const saving = createHook({ ...callbacks, trackPromises: false });
  return {
    enable() {
      saving.enable();
      return this;
    },
    disable() {
      usual?.disable();
      saving.disable();
      return this;
    },
  };
};

/** From now on, the runner follows promises. It always does where this file wasn't loaded before it. */
export function trackPromises(): void {
  if (isTracking) return;
  isTracking = true;
  usual?.enable();
}
