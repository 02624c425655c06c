import type { Context } from 'hono';
import type { Admit } from './admit.ts';
import { parseBody, readBody } from './body.ts';
import type { RestEnv } from './env.ts';
import { describeFailure } from './failure.ts';
import type { Mount, RestOptions } from './options.ts';
import { checkScope, createChallenge } from './protection.ts';

/** Serves what is mounted. */
export function serveMount(mount: Mount, admit: Admit, options: RestOptions) {
  return async (c: Context<RestEnv>): Promise<Response> => {
    const { raw, method } = c.req;
    c.set('operation', mount.nameOf(undefined));
    const { path, protection } = mount;
    const challenge = protection && createChallenge({ path, protection }, raw, options);
    try {
      const refused = mount.check(raw);
      if (refused !== null) return refused;
      const { key, headers } = await admit(raw);
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const text = hasBody ? await readBody(raw, options.body_max_bytes) : '';
      const body = parseBody(text);
      c.set('operation', mount.nameOf(body));
      if (challenge) checkScope(key, { changes: () => mount.changes(body), challenge });
      const response = await mount.handle(raw, { ...key, body });
      for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
      return response;
    } catch (error) {
      const { status, text, headers } = describeFailure(error, {
        request_id: c.get('request_id'),
        log: options.log,
      });
      const asked = status === 401 && challenge?.(carriesKey(raw) ? 'invalid_token' : undefined);
      const all = { ...headers, ...(asked && { 'WWW-Authenticate': asked }) };
      return mount.refuse({ status, message: text, headers: all });
    }
  };
}

function carriesKey({ headers }: Request): boolean {
  return Boolean(headers.get('Authorization') || headers.get('X-API-Key'));
}
