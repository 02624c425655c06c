import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const off = 'The audit log is off';

it('commands say in plain words what they did not do', async () => {
  await run(['add', 'The bike is in the cellar']);
  await run(['export', 'all.jsonl']);

  const head = await run(['audit', 'head']);
  const entries = await run(['audit', 'export']);
  const restored = await run(['restore', 'all.jsonl', '--yes']);
  const doctor = await run(['doctor', 'extra']);
  const hook = await run(['hook']);
  const backup = await run(['backup', join(home, 'nowhere', 'copy.db')]);
  const exported = await run(['export', join(home, 'nowhere', 'all.jsonl')]);

  expect(head).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(off) });
  expect(entries).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(off) });
  expect(restored.code).toBe(2);
  expect(restored.stderr).toContain('looks like an export');
  expect(restored.stderr).toContain('mneme import');
  expect(doctor.code).toBe(2);
  expect(doctor.stderr).toBe('error: unexpected "extra"\nusage: mneme doctor [--json] [flags]\n');
  expect(hook.code).toBe(1);
  expect(backup).toMatchObject({ code: 2, stderr: expect.stringContaining('another folder') });
  expect(exported).toMatchObject({ code: 2, stderr: expect.stringContaining('another folder') });
}, 120_000);

it('init --undo leaves no empty folder behind', async () => {
  const project = join(home, 'project');
  mkdirSync(project);
  const at = { cwd: project };

  await run(['init', 'cursor', '--scope', 'project', '--yes'], at);
  const made = existsSync(join(project, '.cursor', 'mcp.json'));
  await run(['init', 'cursor', '--scope', 'project', '--undo', '--yes'], at);

  expect(made).toBe(true);
  expect(existsSync(join(project, '.cursor'))).toBe(false);
  expect(existsSync(project)).toBe(true);
}, 120_000);
