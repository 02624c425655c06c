import { spawn } from 'node:child_process';
import { inherited, type Program } from './client.ts';

/** A server process that listens on HTTP. */
export type Listening = { url: string; pid: number; end(): Promise<void> };

/** Starts a server and waits until it says where it listens. */
export async function listening({ args, env }: Program): Promise<Listening> {
  const child = spawn(process.execPath, args, {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 10_000) said += text;
      const [, found] = /listening on (http:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`the server did not start:\n${said}`)));
  });
  return {
    url,
    pid: child.pid ?? -1,
    end: () => {
      child.kill();
      return ended;
    },
  };
}
