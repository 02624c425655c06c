import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

/** Lines of a transcript. */
export const user = (content: unknown) => JSON.stringify({ type: 'user', message: { content } });
export const assistant = (text: string) =>
  JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });

/** A home folder with a project in it, and a conversation in that. */
export function preparedSession(lines: readonly string[] = [], more: RunOptions['env'] = {}) {
  const home = temporaryFolder();
  const cwd = join(home, 'shop');
  const transcript_path = join(home, 'session.jsonl');
  mkdirSync(cwd);
  writeFileSync(transcript_path, lines.map((line) => `${line}\n`).join(''));
  const event = { session_id: 's1', transcript_path, cwd, hook_event_name: 'x' };
  const run = runIn(home);
  const env = { MNEME_DATA_DIR: join(home, 'data'), MNEME_USER_ID: 'ada', ...more };
  const hook = (args: string[], input: unknown = event, options: RunOptions = {}) =>
    run(['hook', ...args], {
      cwd,
      input: typeof input === 'string' ? input : JSON.stringify(input),
      ...options,
      env: { ...env, ...options.env },
    });
  const whole = async () => {
    const { stdout } = await run(['call', 'get_memories'], { env });
    return JSON.parse(stdout).results;
  };
  const memories = async () =>
    (await whole()).map(({ memory }: { memory: string }) => memory).sort();
  const remember = (...args: string[]) => run(['add', ...args], { env });
  const pin = (text: string) => run(['call', 'add_memory', '--text', text, '--pinned'], { env });
  return { home, env, cwd, transcript_path, event, hook, memories, whole, remember, pin };
}

/** What hooks noted about conversations. */
export function notes(home: string): string[] {
  const folder = join(home, 'data/hooks');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}
