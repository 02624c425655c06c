import type { Context } from 'hono';
import type { RestEnv } from './hono-env.ts';

/**
 * Whether a program on this machine sent a request. One forwarded by a proxy here comes from
 * another machine, and one to another name than this machine's own from a web page that points its
 * name here.
 */
export function isLocalRequest({ env, req }: Context<RestEnv>): boolean {
  const address = env?.incoming?.socket.remoteAddress ?? '';
  const headers = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'];
  if (headers.some((name) => req.raw.headers.get(name) !== null)) return false;
  const isToLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(
    req.raw.headers.get('Host') ?? 'localhost',
  );
  return isToLoopback && (address === '::1' || /^(::ffff:)?127\./.test(address));
}
