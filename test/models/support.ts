import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openEmbedder } from '../../src/app/models/search-models.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import type { Embedder } from '../../src/core/ports/index.ts';

/** A folder that is removed with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export type Line = { level: string; message: string; [field: string]: unknown };

/** The embedder of a configuration, and what it has logged. */
export function embedderOf(
  given: Record<string, unknown>,
  more: { download?: boolean } = {},
): { embedder: Embedder; lines: Line[] } {
  const lines: Line[] = [];
  const log = (level: string, message: string, fields = {}) =>
    void lines.push({ level, message, ...fields });
  const embedder = openEmbedder(configFromOptions(given, optionNames), { log, ...more });
  if (embedder === null) throw new Error('an embedder was configured');
  onTestFinished(() => embedder.close());
  return { embedder, lines };
}
