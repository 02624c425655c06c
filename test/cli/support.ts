import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const cli = join(import.meta.dirname, '../../dist/cli.js');

export type Run = { code: number | null; stdout: string; stderr: string };

export type RunOptions = {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  /** The program to start, when it is not the one that was built. */
  program?: string;
};

const folders: string[] = [];
// Asked for here, because within a test it would be asked for in vain.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-cli-'));
  folders.push(folder);
  return folder;
}

/** Starts the built program where no file and no variable of the developer's reaches it. */
export function start(home: string, args: readonly string[], options: RunOptions = {}) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    APPDATA: join(home, 'roaming'),
    ...options.env,
  };
  return spawn(process.execPath, [options.program ?? cli, ...args], {
    cwd: options.cwd ?? home,
    env,
  });
}

/** Runs the built program to its end. */
export function runIn(home: string) {
  return async (args: readonly string[], options: RunOptions = {}): Promise<Run> => {
    const child = start(home, args, options);
    const run: Run = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      run.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      run.stderr += text;
    });
    child.stdin.on('error', () => {}); // It may end before it has read everything.
    child.stdin.end(options.input ?? '');
    run.code = await new Promise((resolve) => child.on('close', resolve));
    return run;
  };
}

/** What a command said on stderr besides its progress, which a slow machine gets to see. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^read [\d,]+ memor(?:y|ies)\n/gm, '');
}
