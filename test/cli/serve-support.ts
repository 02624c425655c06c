import type { ChildProcess } from 'node:child_process';
import { afterEach } from 'vitest';
import { start } from './support.ts';

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

export type Served = {
  url: string;
  stderr: () => string;
  stdout: () => string;
  /** Sends a signal and answers the exit code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Starts the server on a free port; it is gone after the test. */
export async function serve(home: string, env: Record<string, string> = {}, args: string[] = []) {
  const child = start(home, ['serve', '--port', '0', ...args], { env });
  running.push(child);
  return listening(child);
}

/** The same for all tests of a file, which ends it. */
export function serveUntilEnd(home: string, env: Record<string, string>): Promise<Served> {
  return listening(start(home, ['serve', '--port', '0'], { env }));
}

/** Waits until it says where it listens. */
async function listening(child: ReturnType<typeof start>): Promise<Served> {
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.stdout += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.stderr += text;
      const [, found] = /^listening on (http:\S+)$/m.exec(said.stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${said.stderr}`)));
  });
  const served: Served = {
    url,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
  return served;
}
