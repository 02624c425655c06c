import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isPostgres } from '../support/database.ts';
import { ownerKey, type Service, startService } from './service.ts';
import { makeFolder } from './support.ts';

type Session = { id: string; headers: Record<string, string> };

async function signIn({ send }: Service, api_key: string): Promise<Session> {
  const answer = await send('POST', '/dashboard/session', { key: null, body: { api_key } });
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const headers = { Cookie: cookie, 'X-Mneme-Session': String(answer.body.proof) };
  return { id: cookie.split('=')[1] ?? '', headers };
}

async function statusOf({ send }: Service, { headers }: Session): Promise<number> {
  return (await send('GET', '/v1/ping/', { key: null, headers })).status;
}

async function restart(service: Service): Promise<Service> {
  service.kill('SIGTERM');
  await service.exited;
  return startService({ data_dir: service.data_dir });
}

it('a session survives a restart, unless its key was revoked or its browser signed out', async () => {
  const first = await startService({ data_dir: await makeFolder() });
  const made = await first.send('POST', '/v1/keys/', { body: { name: 'lent' } });
  const [own, lent, left] = [
    await signIn(first, ownerKey),
    await signIn(first, String(made.body.key)),
    await signIn(first, ownerKey),
  ];
  const { headers } = left;
  await first.send('DELETE', '/dashboard/session', { key: null, headers });
  const before = [await statusOf(first, own), await statusOf(first, lent)];
  await first.send('DELETE', `/v1/keys/${made.body.key_id}/`);

  const second = await restart(first);

  expect(before).toEqual([200, 200]);
  const after = [own, lent, left].map((session) => statusOf(second, session));
  expect(await Promise.all(after)).toEqual([200, 401, 401]);
});

it('a session is known to another process of the store, and what one ends is over there', async () => {
  const data_dir = await makeFolder();
  const [one, other] = [await startService({ data_dir }), await startService({ data_dir })];
  const session = await signIn(one, ownerKey);
  const shared = await statusOf(other, session);

  const { headers } = session;
  await other.send('DELETE', '/dashboard/session', { key: null, headers });

  expect([shared, await statusOf(other, session)]).toEqual([200, 401]);
  await expect.poll(() => statusOf(one, session), { timeout: 6000 }).toBe(401);
});

it.skipIf(isPostgres)('neither a session nor its key is in the files of the store', async () => {
  const service = await startService({ data_dir: await makeFolder() });
  const { id, headers } = await signIn(service, ownerKey);
  await statusOf(service, { id, headers });

  const files = readdirSync(service.data_dir).filter((name) => name.startsWith('mneme.db'));
  const bytes = files.map((name) => readFileSync(join(service.data_dir, name), 'latin1')).join();

  const secrets = [id, String(headers['X-Mneme-Session']), ownerKey];
  expect(secrets.map((secret) => [secret.length > 40, bytes.includes(secret)])).toEqual(
    secrets.map(() => [true, false]),
  );
});
