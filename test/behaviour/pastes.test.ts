import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { type Target, targets } from '../support/targets.ts';

const question = 'What is the rollback code of project Zephyr?';

/** Lines of a log, of about this many characters. */
function logOf(chars: number): string {
  const line = (at: number) =>
    `2026-11-26T10:${String(at % 60).padStart(2, '0')}:07Z INFO [deploy-${at % 7}] release job ${at * 7919} of staging done in ${at % 97}ms, port 8080`;
  const lines = Array.from({ length: Math.ceil(chars / 95) }, (_, at) => line(at));
  return lines.join('\n').slice(0, chars);
}

describe.each(targets)('a question beside a paste, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
    for (const text of [
      "Project Zephyr's rollback code is amber-17",
      'The staging port is 8080',
      'A release job of staging runs each Friday in INFO mode',
      'Deploy logs are kept for thirty days',
      'Ann prefers tabs and never pushes to main',
    ])
      await target.call('add_memory', { text, user_id: 'ann' });
  });
  afterEach(async () => {
    await target.stop();
  });

  const pastes = [1500, 4700, 12_000].flatMap((chars) => {
    const log = logOf(chars);
    const half = log.indexOf('\n', chars / 2);
    return [
      [`${question}\n\n${log}`, `before ${chars} characters`],
      [`${log}\n\n${question}`, `after ${chars} characters`],
      [`${log.slice(0, half)}\n${question}${log.slice(half)}`, `within ${chars} characters`],
    ] as const;
  });

  it('is answered by a search and a context as it is without it', async () => {
    for (const [query, where] of pastes) {
      const { results } = await target.call('search_memories', { query, user_id: 'ann' });
      expect(results[0]?.memory, where).toContain('amber-17');
      const asked = await target.call('get_context', { query, user_id: 'ann' });
      expect(asked.text, where).toContain('amber-17');
      const messages = [{ role: 'user', content: query }];
      const told = await target.call('get_context', { messages, user_id: 'ann' });
      expect(told.text, where).toBe(asked.text);
    }
  });

  it('may be as long as a message', async () => {
    const most = limits.message_max_chars;
    const query = `${question}\n${logOf(2 * most)}`;

    const { results } = await target.call('search_memories', {
      query: query.slice(0, most),
      user_id: 'ann',
    });
    const refused = await target.refusal('search_memories', { query, user_id: 'ann' });

    expect(results[0]?.memory).toContain('amber-17');
    expect(refused.message.replaceAll(',', '')).toContain(`at most ${most}`);
  });
});
