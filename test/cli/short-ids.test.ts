import { beforeAll, describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

/** Ends in digits that could be a number with an exponent. */
const first = '0199a6b2-0000-7000-8000-0001123456e7';
const second = '0199a6b2-0000-7000-8000-0001abcdef12';
const third = '0199a6b2-0000-7000-8000-0002abcdef12';

async function answer(operation: string, args: readonly string[], data_dir = home) {
  // The export is built by a later call, if this one ends before it is done.
  const where = ['--data-dir', data_dir, '--log-level', 'error'];
  const { code, stdout, stderr } = await run(['call', operation, ...args, ...where]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function refusal(operation: string, args: readonly string[]) {
  const { code, stderr } = await run(['call', operation, ...args, '--data-dir', home]);
  return { code, stderr };
}

/** The only way to choose ids: they are written into an export. */
beforeAll(async () => {
  const other = temporaryFolder();
  const ids: string[] = [];
  for (const text of ['Tea', 'Coffee', 'Cocoa']) {
    const { results } = await answer('add_memory', ['--text', text, '--user-id', 'ann'], other);
    ids.push(results[0].id);
  }
  const { stdout } = await run(['export', '-', '--data-dir', other]);
  const chosen = [first, second, third];
  const input = ids.reduce((text, id, at) => text.replaceAll(id, chosen[at] ?? id), stdout);
  const { code } = await run(['import', '-', '--data-dir', home], { input });
  expect(code).toBe(0);
});

describe('a short id in mneme call', () => {
  it.each([
    ['--filters.id', '123456e7'],
    ['--filters.id.in', '["123456e7"]'],
    ['--filters', '{"NOT": [{"id": {"nin": ["123456E7"]}}]}'],
    ['--json', '{"filters": {"OR": [{"memory_ids": ["123456e7"]}, {"user_id": "x"}]}}'],
  ])('names a memory in a condition: %s %s', async (flag, value) => {
    const { results } = await answer('get_memories', ['--user-id', 'ann', flag, value]);

    expect(results.map(({ id }: { id: string }) => id)).toEqual([first]);
  });

  it('names what is summarized, in an operation that is not a tool', async () => {
    const summary = await answer('get_summary', ['--filters.id', '123456e7']);

    expect(summary.memory_count).toBe(1);
  });

  it('names an event, an export, a webhook and a job of profiles', async () => {
    const short = (id: string) => id.slice(-8);
    const url = 'https://example.com/hook';
    const event = await answer('delete_all_memories', ['--user-id', 'nobody']);
    const made = await answer('create_export', [
      '--user-id',
      'ann',
      '--schema',
      '{"type":"object"}',
    ]);
    const hook = await answer('create_webhook', ['--url', url]);
    const job = await answer('create_profile_job', ['--operation', 'sample']);

    const found = [
      (await answer('get_event', ['--event-id', short(event.event_id)])).id,
      (await answer('get_export', ['--memory-export-id', short(made.id)])).id,
      (await answer('get_webhook', ['--webhook-id', short(hook.webhook_id)])).webhook_id,
      (await answer('get_profile_job', ['--job-id', short(job.id)])).id,
    ];

    expect(found).toEqual([event.event_id, made.id, hook.webhook_id, job.id]);
  });

  it.each([
    ['get_memory', ['--memory-id', 'abcdef12'], '--memory-id: abcdef12 is the end of several ids'],
    ['get_memories', ['--filters.id', 'abcdef12'], '--filters: abcdef12 is the end of several ids'],
  ])('of several memories is refused with their ids by %s', async (operation, args, message) => {
    const { code, stderr } = await refusal(operation, args);

    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${message}: ${second}, ${third}; use one of them`);
  });

  it.each(['show', 'edit', 'history', 'forget'])(
    'of several is refused by mneme %s',
    async (command) => {
      const { code, stdout, stderr } = await run([command, 'abcdef12', '--data-dir', home]);

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`several ids: ${second}, ${third}; use one of them`);
    },
  );

  it.each([
    ['get_event', '--event-id', 'event'],
    ['get_export', '--memory-export-id', 'export'],
    ['get_webhook', '--webhook-id', 'webhook'],
    ['get_profile_job', '--job-id', 'profile job'],
    ['get_history', '--memory-id', 'memory'],
    ['get_memories', '--filters.id', 'memory'],
  ])('of nothing is not found by %s', async (operation, flag, what) => {
    expect(await refusal(operation, [flag, '00000000'])).toEqual({
      code: 3,
      stderr: `error: no ${what} found whose id ends in 00000000\n`,
    });
  });

  it('names a deleted memory where its history is asked for', async () => {
    await answer('delete_memory', ['--memory-id', '123456e7']);

    const { results } = await answer('get_history', ['--memory-id', '123456e7']);

    const changes = results.map(({ memory_id, event }: Record<string, string>) => [
      memory_id,
      event,
    ]);
    expect(changes).toEqual([
      [first, 'ADD'],
      [first, 'DELETE'],
    ]);
  });
});
