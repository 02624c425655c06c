import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const run = runIn(temporaryFolder());

async function createWebhook(name: string): Promise<string> {
  const url = `https://example.com/${name}`;
  const { stdout } = await run(['call', 'create_webhook', '--url', url, '--name', name]);
  return JSON.parse(stdout).webhook_id;
}

describe('mneme webhooks', () => {
  it('says that there are none', async () => {
    const { code, stdout } = await run(['webhooks', 'list', '--data-dir', temporaryFolder()]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No webhooks.\n' });
  });

  it('lists them without their secrets', async () => {
    const id = await createWebhook('listed');

    const table = await run(['webhooks', 'list']);
    const json = await run(['webhooks', 'list', '--json']);

    expect(table.stdout).toMatch(
      new RegExp(
        `^ {2}${id.slice(-8)} +listed +on +memory:\\S.* +https://example.com/listed$`,
        'm',
      ),
    );
    expect(JSON.parse(json.stdout).results).toContainEqual(
      expect.objectContaining({ webhook_id: id }),
    );
    expect(table.stdout + json.stdout).not.toContain('whsec_');
  });

  it('lists what was delivered', async () => {
    const id = await createWebhook('delivered');
    await run(['call', 'add_memory', '--text', 'One fact']);

    const table = await run(['webhooks', 'deliveries', id.slice(-8)]);
    const json = await run(['webhooks', 'deliveries', id, '--page', '1', '--json']);

    expect(table.stdout).toMatch(/^ {2}CREATED +EVENT +MEMORY +STATUS +ATTEMPTS/);
    expect(table.stdout).toMatch(/memory:add +[\da-f]{8} +PENDING/);
    expect(JSON.parse(json.stdout)).toMatchObject({ total: 1, page: 1 });
  });

  it.each([
    [['deliveries'], 2, 'WEBHOOK_ID is missing'],
    [['deliveries', 'x'], 2, 'WEBHOOK_ID: is not the id of a webhook'],
    [['deliveries', '00000000-0000-7000-8000-000000000000'], 3, 'Webhook not found'],
    [['deliveries', '00000000'], 3, 'no webhook found whose id ends in 00000000'],
    [['deliveries', 'x', 'y'], 2, 'unexpected "y"'],
    [['list', '--page', '2'], 2, 'flag --page: '],
    [['lst'], 2, 'unknown action "lst". Did you mean "list"?'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run(['webhooks', ...args]);

    expect(code).toBe(expected);
    expect(stderr).toContain(`error: ${message}`);
  });
});
