import { mkdirSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo } from './http-clients.ts';
import { startService, until } from './service.ts';
import { makeFolder, runProgram } from './support.ts';

const messages = [{ role: 'user', content: 'Likes tea' }];
const body = { messages, user_id: 'ann', infer: false };

// Windows keeps a file in its place for as long as it is open.
it.skipIf(platform() === 'win32')('a server says that its data folder is gone', async () => {
  const data_dir = await makeFolder();
  const service = await startService({ data_dir });
  const agent = await connectTo(service);
  const add = () => service.send('POST', '/v1/memories/', { body });
  const before = [(await add()).status, (await service.send('GET', '/readyz')).status];
  removeStore(data_dir);

  // It looks once a second.
  const refused = await until(add, ({ status }) => status === 503);
  const readiness = await service.send('GET', '/readyz');
  const found = await service.send('POST', '/v2/memories/search/', {
    body: { query: 'tea', filters: { user_id: 'ann' } },
  });
  const told = await agent.call('add_memory', { text: 'Likes milk', user_id: 'ann' });

  expect(before).toEqual([200, 200]);
  expect(refused.body.message).toMatch(/removed .*restart/);
  // Users of the machine see the path of the file; callers may be anywhere.
  expect(service.stderr()).toContain(`${join(data_dir, 'mneme.db')} was removed`);
  expect(JSON.stringify(told)).toContain('removed');
  expect(JSON.stringify([refused.body, told])).not.toContain(data_dir);
  expect(readiness.status).toBe(503);
  expect(readiness.body.message).toContain('removed');
  expect(found.status).toBe(200);
});

// Other systems do not show which process has a file open.
it.skipIf(platform() !== 'linux')('mneme doctor says which server lost its store', async () => {
  const data_dir = await makeFolder();
  const service = await startService({ data_dir });
  await service.send('POST', '/v1/memories/', { body });
  removeStore(data_dir);

  const doctor = await runProgram({ data_dir, flags: ['doctor'] });

  expect(doctor.code).toBe(1);
  expect(doctor.wire.lines.join('\n')).toMatch(/process \d+ .*removed/);
});

function removeStore(data_dir: string): void {
  rmSync(data_dir, { recursive: true });
  mkdirSync(data_dir);
}
