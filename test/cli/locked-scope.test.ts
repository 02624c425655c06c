import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

describe('a command in a locked scope', () => {
  let home: string;
  let run: ReturnType<typeof runIn>;
  let bobs: string;
  const env = { MNEME_USER_ID: 'ada', MNEME_LOCK_SCOPE: 'true' };

  beforeEach(async () => {
    home = temporaryFolder();
    run = runIn(home);
    await run(['add', 'Ada likes tea', '--user-id', 'ada']);
    const added = await run(['add', 'Bob keeps a wombat', '--user-id', 'bob', '--json']);
    bobs = String(JSON.parse(added.stdout).results[0].id);
  });

  const showBobs = async () =>
    JSON.parse((await run(['show', bobs, '--user-id', 'bob', '--json'])).stdout);

  it.each([
    ['show', (id: string) => ['show', id]],
    ['history', (id: string) => ['history', id]],
    ['forget', (id: string) => ['forget', id, '--yes']],
    ['undo', (id: string) => ['undo', id, '--yes']],
    ['review', (id: string) => ['review', 'accept', id]],
    ['erase', (id: string) => ['erase', id, '--yes']],
    ['call', (id: string) => ['call', 'update_memory', '--memory-id', id, '--text', 'x']],
  ])('hides the memory of another user from %s', async (_, args) => {
    const before = await showBobs();

    const { code, stdout, stderr } = await run(args(bobs), { env });

    expect(code).not.toBe(0);
    expect(stdout + stderr).not.toContain('wombat');
    expect(stderr).toContain('not found');
    expect(await showBobs()).toEqual(before);
  });

  it('erases no user but its own', async () => {
    const before = await showBobs();

    const { code } = await run(['erase', '--user-id', 'bob', '--yes'], { env });

    expect(code).not.toBe(0);
    expect(await showBobs()).toEqual(before);
  });

  it('neither imports nor exports a project, whose lines name other owners', async () => {
    const { stdout } = await run(['export', '-']);
    const file = join(home, 'export.jsonl');
    writeFileSync(file, stdout.replaceAll('keeps a wombat', 'was here'));

    const imported = await run(['import', file], { env });
    const exported = await run(['export', '-'], { env });

    for (const { code, stderr } of [imported, exported]) {
      expect(code).not.toBe(0);
      expect(stderr).toContain('lock_scope fixes');
    }
    expect((await showBobs()).memory).toBe('Bob keeps a wombat');
  });
});
