import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { serve } from './serve-support.ts';
import { type Run, runIn, start, temporaryFolder } from './support.ts';

const children: ReturnType<typeof start>[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts `mneme ui` and waits until it serves; `printed` is what it wrote to standard output. */
async function startUi(home: string, args: string[], env: Record<string, string> = {}) {
  const child = start(home, ['ui', ...args], { env });
  children.push(child);
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes('Ctrl-C')) resolve();
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  const end = (signal: NodeJS.Signals = 'SIGINT') => {
    child.kill(signal);
    return ended;
  };
  return { printed: printed.trim(), said, end };
}

/** What the page does with the link that it was opened with. */
async function signIn(url: string) {
  const { origin, hash } = new URL(url);
  const answer = await fetch(`${origin}/dashboard/session`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ link: hash.replace('#login/', '') }),
  });
  const { proof } = (await answer.json()) as { proof?: string };
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, {
      ...init,
      headers: {
        Cookie: cookie,
        'X-Mneme-Session': proof ?? '',
        'Content-Type': 'application/json',
      },
    });
  return { status: answer.status, send };
}

/** A folder with a program that notes the address it should open, and ends as told. */
function openerIn(home: string, code: number) {
  const folder = join(home, 'bin');
  const file = join(home, 'opened');
  mkdirSync(folder);
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${file}'\nexit ${code}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':0' };
  return { env, opened: () => (existsSync(file) ? readFileSync(file, 'utf8') : null) };
}

/** Where `xdg-open` is what opens a browser. */
const onLinux = it.skipIf(process.platform !== 'linux');

const lastLine = ({ stdout }: Run) => stdout.trim().split('\n').at(-1) ?? '';

describe('mneme ui', () => {
  it('serves where no server runs, and prints a link that works once, without a key', async () => {
    const home = temporaryFolder();

    const ui = await startUi(home, ['--port', '0']);
    const first = await signIn(ui.printed);
    const second = await signIn(ui.printed);
    const ping = await (await first.send('/v1/ping/')).json();

    expect(ui.printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard#login\/[\w.-]+$/);
    expect([first.status, second.status]).toEqual([200, 401]);
    expect(ping).toMatchObject({ status: 'ok', has_store: true, read_only: false });
    expect(ui.said).not.toMatch(/mk_/);
    expect(await ui.end()).toBe(0);
  });

  it('uses the server of the store that runs already, and ends', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const { port } = new URL(server.url);

    const run = await runIn(home)(['ui', '--port', port, '--json']);
    const { url, opened } = JSON.parse(run.stdout);
    const { status } = await signIn(url);

    expect([run.code, opened, status]).toEqual([0, false, 200]);
    expect(new URL(url).port).toBe(port);
  });

  it('makes a link that a server killed and started again does not take', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const { port } = new URL(server.url);
    const link = lastLine(await runIn(home)(['ui', '--port', port]));

    await server.end('SIGKILL');
    await serve(home, {}, ['--port', port]);

    expect((await signIn(link)).status).toBe(401);
  });

  it('is not taken in by a server of another store, or by another program', async () => {
    const store = await serve(temporaryFolder());
    const program = createServer((_, response) => response.end('{"challenge":"c","proof":"p"}'));
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    const { port } = program.address() as AddressInfo; // it does not listen on a pipe
    const run = runIn(temporaryFolder());

    const runs = [
      await run(['ui', '--port', new URL(store.url).port]),
      await run(['ui', '--port', String(port)]),
    ];
    program.close();

    for (const { code, stdout, stderr } of runs) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('another program or store listens there');
      expect(stderr).toContain('mneme ui --port 0');
    }
  });

  onLinux('opens the browser at a display, with a link for this user', async () => {
    const home = temporaryFolder();
    const { env, opened } = openerIn(home, 0);

    const ui = await startUi(home, ['--port', '0'], env);
    const { status } = await signIn(opened() ?? '');

    expect([ui.printed, status]).toEqual(['', 200]);
    expect(ui.said).toMatch(/opened http:\S+\/dashboard\n/);
  });

  onLinux(
    'prints a link where the browser does not open, over ssh, and when asked to',
    async () => {
      const home = temporaryFolder();
      const server = await serve(home);
      const ui = ['ui', '--port', new URL(server.url).port];
      const failing = openerIn(home, 3);
      const silent = openerIn(temporaryFolder(), 0);
      const run = runIn(home);

      const links = [
        await run(ui, { env: failing.env }),
        await run(ui, { env: { ...silent.env, SSH_CONNECTION: '10.0.0.7 1 10.0.0.8 22' } }),
        await run([...ui, '--print'], { env: silent.env }),
      ].map(lastLine);
      const answers = await Promise.all(links.map(signIn));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(silent.opened()).toBeNull();
    },
  );

  it('gives a session no more than the configuration allows', async () => {
    const home = temporaryFolder();
    const run = runIn(home);
    await run(['add', 'The bike is in the cellar.', '--project-id', 'home']);
    await run(['add', 'The bus is late.', '--project-id', 'work']);
    const server = await serve(home);
    const ui = ['ui', '--port', new URL(server.url).port, '--project-id', 'home'];

    const [reader, bound] = [
      await signIn(lastLine(await run([...ui, '--read-only']))),
      await signIn(lastLine(await run([...ui, '--lock-scope']))),
    ];
    const body = JSON.stringify({ messages: 'I like tea', user_id: 'ada' });
    const written = await reader.send('/v1/memories/', { method: 'POST', body });
    const ping = await (await bound.send('/v1/ping/')).json();
    const elsewhere = await bound.send('/v1/ping/?project_id=work');

    expect(written.status).toBe(403);
    expect(ping).toMatchObject({ project_id: 'home', has_store: false });
    expect(elsewhere.status).toBe(404);
  });

  it('does not create a project that is mistyped', async () => {
    const run = runIn(temporaryFolder());

    const { code, stderr } = await run(['ui', '--port', '0', '--project-id', 'hmoe']);

    expect(code).toBe(3);
    expect(stderr).toContain('hmoe');
  });

  it('leads to the sign-in page of a remote instance', async () => {
    const env = { MNEME_BASE_URL: 'http://127.0.0.1:1/', MNEME_API_KEY: 'mk_x' };

    const { code, stdout, stderr } = await runIn(temporaryFolder())(['ui'], { env });

    expect([code, stdout]).toEqual([0, 'http://127.0.0.1:1/dashboard\n']);
    expect(stderr).toContain('API key');
  });
});
