import type { Context } from 'hono';
import type { Admit } from './admit.ts';
import { parseBody, readBody } from './body.ts';
import type { RestEnv } from './env.ts';
import { describeFailure } from './failure.ts';
import type { Mount, RestOptions } from './options.ts';

/** Serves what is mounted. */
export function serveMount(mount: Mount, admit: Admit, options: RestOptions) {
  return async (c: Context<RestEnv>): Promise<Response> => {
    const { raw, method } = c.req;
    c.set('operation', mount.nameOf(undefined));
    try {
      const refused = mount.check(raw);
      if (refused !== null) return refused;
      const { key, headers } = await admit(raw);
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const text = hasBody ? await readBody(raw, options.body_max_bytes) : '';
      const body = parseBody(text);
      c.set('operation', mount.nameOf(body));
      const { caller, key_id } = key;
      const response = await mount.handle(raw, { caller, key_id, body });
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    } catch (error) {
      const { status, text, headers } = describeFailure(error, {
        request_id: c.get('request_id'),
        log: options.log,
      });
      return mount.refuse({ status, message: text, headers: { ...headers } });
    }
  };
}
