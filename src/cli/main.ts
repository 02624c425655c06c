#!/usr/bin/env node
// Starts the program. Kept small, because no code cache speeds it up.
import { join } from 'node:path';
import { codeCacheFolder, createCodeCache } from './code-cache.ts';
import { createModuleLoader } from './module-loader.ts';

/** Set by the build: which module of the program is run.ts. */
declare const MNEME_PROGRAM: string;

/** By then the start is over, and so are the first requests of most clients. */
const saveAfterMs = 10_000;

if (process.pid === 1) exitOnSignals();
const codeCache = createCodeCache(codeCacheFolder());
const program = join(import.meta.dirname, 'program');
const load = createModuleLoader(program, codeCache.run);
const { run } = load(MNEME_PROGRAM) as typeof import('./run.ts');
const saveTimer = setTimeout(() => {
  codeCache.save();
  codeCache.preload(program).catch(() => {}); // The files may be gone already.
}, saveAfterMs).unref();
// All errors of the command line end in its exit code.
void run(process.argv.slice(2)).then(() => {
  clearTimeout(saveTimer);
  codeCache.save();
});

/**
 * The kernel ignores unhandled signals for the first process of a container, so this handler ends
 * it when a command has no handler of its own, or not yet.
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
