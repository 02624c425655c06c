import type { Context } from 'hono';
import type { AdmitRequest } from '../auth/admission.ts';
import { parseBody, readBody } from '../http/body.ts';
import { describeError } from '../http/errors.ts';
import type { RestEnv } from '../http/hono-env.ts';
import type { Mount, RestOptions } from '../http/options.ts';
import { checkTokenScope, createChallenge } from './protected-resource.ts';

/** Serves the protocol of a mount. */
export function createMountHandler(mount: Mount, admit: AdmitRequest, options: RestOptions) {
  return async (c: Context<RestEnv>): Promise<Response> => {
    const { raw, method } = c.req;
    c.set('operation', mount.nameOf(undefined));
    const { path, protection } = mount;
    const challenge = protection && createChallenge({ path, protection }, raw, options);
    try {
      const refusal = mount.check(raw);
      if (refusal !== null) return refusal;
      const { key, headers } = await admit(raw);
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const text = hasBody ? await readBody(raw, options.body_max_bytes) : '';
      const body = parseBody(text);
      c.set('operation', mount.nameOf(body));
      if (challenge) checkTokenScope(key, { changes: () => mount.changes(body), challenge });
      const response = await mount.handle(raw, { ...key, body });
      for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
      return response;
    } catch (error) {
      const { status, text, headers } = describeError(error, {
        request_id: c.get('request_id'),
        log: options.log,
      });
      const authenticateHeader =
        status === 401 && challenge?.(hasCredential(raw) ? 'invalid_token' : undefined);
      const all = {
        ...headers,
        ...(authenticateHeader && { 'WWW-Authenticate': authenticateHeader }),
      };
      return mount.refuse({ status, message: text, headers: all });
    }
  };
}

function hasCredential({ headers }: Request): boolean {
  return Boolean(headers.get('Authorization') || headers.get('X-API-Key'));
}
