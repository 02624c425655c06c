#!/usr/bin/env node
// Kept free of imports: the compile cache has to be on before any other code is loaded.
import module from 'node:module';

const { enableCompileCache } = module as { enableCompileCache?: () => void };
enableCompileCache?.();

const { run } = await import('./run.ts');
await run(process.argv.slice(2));
