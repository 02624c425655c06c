import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

type Run = ReturnType<typeof runIn>;

const textsIn = async (run: Run) => {
  const { stdout } = await run(['call', 'get_memories']);
  return JSON.parse(stdout).results.map(({ memory }: { memory: string }) => memory);
};

describe('mneme undo', () => {
  it('shows the last change and takes it back', async () => {
    const run = runIn(temporaryFolder());
    await run(['add', 'The cat is called Biscuit']);
    await run(['add', 'The garden has a pond']);

    const { code, stdout, stderr } = await run(['undo', '--yes']);

    expect(code).toBe(0);
    expect(stderr).toMatch(/^- [\da-f]{8} {2}The garden has a pond\n$/);
    expect(stdout).toMatch(/^Undone: 1 removed\. Take it back with mneme undo --event-id/);
    expect(await textsIn(run)).toEqual(['The cat is called Biscuit']);
  });

  it('changes nothing in a dry run, and where nobody agreed', async () => {
    const run = runIn(temporaryFolder());
    await run(['add', 'The cat is called Biscuit']);

    const dry = await run(['undo', '--dry-run', '--json']);
    const alone = await run(['undo']);

    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, changes: [{ event: 'DELETE' }] });
    expect(alone.code).not.toBe(0);
    expect(alone.stderr).toContain('Add --yes to undo it');
    expect(await textsIn(run)).toEqual(['The cat is called Biscuit']);
  });

  it('takes back one memory by its short id, or all since a time', async () => {
    const run = runIn(temporaryFolder());
    await run(['add', 'The cat is called Biscuit']);
    await run(['add', 'The garden has a pond']);
    const { stdout } = await run(['search', 'cat']);
    const id = stdout.slice(0, 8);

    expect((await run(['undo', id, '--yes'])).code).toBe(0);
    expect(await textsIn(run)).toEqual(['The garden has a pond']);
    expect((await run(['undo', '--since', '10 minutes ago', '--yes'])).code).toBe(0);
    expect(await textsIn(run)).toEqual([]);
    expect((await run(['undo', '--since', 'some day', '--yes'])).stderr).toContain(
      'since: "some day" is neither a date, a time nor a snapshot',
    );
  });

  it('tells what it would change beside the text', async () => {
    const run = runIn(temporaryFolder());
    const { stdout } = await run(['add', 'The cat is called Biscuit', '--json']);
    const [{ id }] = JSON.parse(stdout).results;
    await run(['call', 'update_memory', '--memory-id', id, '--pinned']);

    const plan = await run(['undo', '--dry-run']);

    expect(plan.stdout).toBe(`~ ${id.slice(-8)}  The cat is called Biscuit (not pinned)\n`);
  });

  it('says when there is nothing to undo', async () => {
    const run = runIn(temporaryFolder());

    expect(await run(['undo'])).toMatchObject({ code: 0, stderr: 'Nothing to undo.\n' });
  });
});
