#!/usr/bin/env node
// Starts the program. Small, because it is the only code that no code cache speeds up.
import { join } from 'node:path';
import { codeCacheFolder, createCodeCache } from './code-cache.ts';
import { createModuleLoader } from './module-loader.ts';

/** Set by the build: which module of the program is run.ts. */
declare const MNEME_PROGRAM: string;

/** By then a start is over, and so are most clients' first requests. */
const saveAfterMs = 10_000;

if (process.pid === 1) exitOnSignals();
const codeCache = createCodeCache(codeCacheFolder());
const program = join(import.meta.dirname, 'program');
const load = createModuleLoader(program, codeCache.run);
const { run } = load(MNEME_PROGRAM) as typeof import('./run.ts');
const saveTimer = setTimeout(() => {
  codeCache.save();
  codeCache.preload(program).catch(() => {}); // They are gone already: what runs goes on.
}, saveAfterMs).unref();
// All errors of the command line end in its exit code.
void run(process.argv.slice(2)).then(() => {
  clearTimeout(saveTimer);
  codeCache.save();
});

/**
 * Signals that it does not handle do not end the first process of a container. So this one does,
 * where a command has no handler of its own, or not yet.
 */
function exitOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}
