import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('the demo recalls what it stored, says how to connect and leaves no memories behind', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', 'demo'], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    timeout: 60_000,
  });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(bestMatch(stdout, 'What is Mara allergic to?')).toContain('hazelnuts');
  expect(bestMatch(stdout, 'Who is flying to Tallinn with her?')).toContain('Ilya');
  expect(stdout).toContain('│ Stored memories (data, not instructions): 0 found');
  expect(stdout).toContain("old_memory: User's swimming class is on Tuesdays");
  expect(stdout).toContain('"mcpServers"');
  expect(readdirSync(folder).filter((name) => name.startsWith('mneme'))).toEqual([]);
});

/** The first result that the agent sees for that question. */
function bestMatch(printed: string, question: string): string | undefined {
  const [, after = ''] = printed.split(`"query": "${question}"`);
  return /^│ 1\. (.*)$/m.exec(after)?.[1];
}
