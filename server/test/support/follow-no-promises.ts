/**
 * Loaded before each test process. Node's runner follows every promise, so that it knows in which suite a test
 * is declared. That takes a tenth of the processor time of our tests, so it ends when all tests are declared. An
 * error that nobody catches still fails the file then, but the runner can't say which test it comes from. Run
 * the file alone to find out.
 */
import hooks from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { testsDeclared } from './tests-declared.ts';

const { createHook } = hooks;

// The runner has the only hook in these processes, and creates it when the first test is declared.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  const hook = createHook(callbacks);
  const withoutPromises = createHook({ ...callbacks, trackPromises: false });
  subscribe(testsDeclared, () => {
    hook.disable();
    // Node lets go of promises in a microtask, and only if no hook is enabled until then.
    queueMicrotask(() => withoutPromises.enable());
  });
  return hook;
};
