import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Zeros where nobody tells. */
export function processState(pid: number): { rss_mb: number; descriptors: number } {
  const folder = `/proc/${pid}`;
  if (!existsSync(folder)) return { rss_mb: 0, descriptors: 0 };
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(join(folder, 'status'), 'utf8')) ?? [];
  return { rss_mb: Number(kb) / 1024, descriptors: readdirSync(join(folder, 'fd')).length };
}
