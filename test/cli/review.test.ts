import { beforeAll, describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const run = runIn(temporaryFolder());
const call = async (...args: string[]) => JSON.parse((await run(['call', ...args])).stdout);

beforeAll(async () => {
  const [{ org_id }] = (await call('list_organizations')).results;
  const [{ project_id }] = (await call('list_projects', '--org-id', org_id)).results;
  const named = ['--org-id', org_id, '--project-id', project_id];
  await call('update_project', ...named, '--review', 'all');
});

async function addWaiting(text: string, user_id = 'zoe'): Promise<string> {
  const { results } = await call('add_memory', '--text', text, '--user-id', user_id);
  return results[0].id;
}

describe('mneme review', () => {
  it('says that nothing waits', async () => {
    const { code, stdout } = await run(['review', 'list', '--data-dir', temporaryFolder()]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing waits for a review.\n' });
  });

  it('lists what waits, of one user if asked, with short ids', async () => {
    const id = await addWaiting('Drinks tea', 'mia');
    await addWaiting('Drinks coffee', 'tom');

    const { stdout } = await run(['review', 'list', '--user-id', 'mia']);
    const json = JSON.parse((await run(['review', 'list', '--json'])).stdout);

    expect(stdout).toContain(`${id.slice(-8)}  Drinks tea\n`);
    expect(stdout).toContain('user: mia');
    expect(stdout).toContain('1 memory waits.');
    expect(stdout).not.toContain('coffee');
    expect(json.total).toBe(2);
  });

  it('accepts a memory, with another text', async () => {
    const id = await addWaiting('Lives in Rom');

    const { code } = await run(['review', 'accept', id.slice(-8), '--text', 'Lives in Rome']);

    expect(code).toBe(0);
    expect(await call('get_memory', '--memory-id', id)).toMatchObject({
      memory: 'Lives in Rome',
      status: 'active',
    });
  });

  it('declines a memory, and with never all the like', async () => {
    const [declined, never] = [await addWaiting('Owns a boat'), await addWaiting('Owns a horse')];

    await run(['review', 'decline', declined]);
    await run(['review', 'never', never]);
    const again = await call('add_memory', '--text', 'owns a horse!', '--user-id', 'zoe');

    expect(await call('list_reviews', '--user-id', 'zoe')).toMatchObject({ total: 0 });
    expect(again.results).toMatchObject([{ event: 'NOOP' }]);
  });

  it.each([
    [['accept'], 2, 'MEMORY_ID is missing'],
    [['accept', '00000000'], 3, 'no memory found whose id ends in 00000000'],
    [['decline', 'x', '--text', 'y'], 2, 'flag --text'],
    [['aprove', 'x'], 2, 'unknown action "aprove"'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run(['review', ...args]);

    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) });
  });
});
