import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, Mount, ProtectedResource, RestOptions } from '../http/options.ts';
import { jsonResponse } from '../http/response.ts';
import { absoluteUrl } from '../http/url.ts';
import type { PageRoute } from '../pages/page-routes.ts';

const metadataPath = '/.well-known/oauth-protected-resource';

/** Where clients read which tokens a mount accepts: RFC 9728. */
export function resourceMetadataRoutes(
  { path, protection }: Mount,
  options: RestOptions,
): PageRoute[] {
  if (protection === undefined) return [];
  const { issuer, scopes } = protection;
  return [metadataPath, `${metadataPath}${path}`].map((at) => ({
    path: at,
    answering: (c) => {
      c.set('operation', 'protected-resource');
      return jsonResponse(200, {
        resource: resourceUrl({ path, protection }, c.req.raw, options),
        authorization_servers: [issuer],
        scopes_supported: [scopes.read, scopes.write],
        bearer_methods_supported: ['header'],
        resource_name: 'mneme',
      });
    },
  }));
}

type ProtectedMount = Pick<Mount, 'path'> & { protection: ProtectedResource };
type Challenge = (error?: 'invalid_token' | 'insufficient_scope') => string;

/** The value of `WWW-Authenticate`, which tells a client where its user may get a token. */
export function createChallenge(mount: ProtectedMount, request: Request, options: RestOptions) {
  const challenge: Challenge = (error) => {
    const { origin, pathname } = new URL(resourceUrl(mount, request, options));
    const { read, write } = mount.protection.scopes;
    const parts = {
      ...(error !== undefined && { error }),
      resource_metadata: `${origin}${metadataPath}${pathname}`,
      scope: `${read} ${write}`,
    };
    const pairs = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${pairs.join(', ')}`;
  };
  return challenge;
}

/** Refuses what the scope of a token does not cover, in a way that lets a client request more. */
export function checkTokenScope(
  { missing_scope }: AuthenticatedKey,
  { changes, challenge }: { changes: () => boolean; challenge: Challenge },
): void {
  if (missing_scope === undefined || (missing_scope === 'write' && !changes())) return;
  const headers = { 'WWW-Authenticate': challenge('insufficient_scope') };
  throw new HttpError(403, `the token lacks the scope to ${missing_scope}`, headers);
}

/** The configured address, else the one that the client used. */
function resourceUrl({ path, protection }: ProtectedMount, request: Request, options: RestOptions) {
  return protection.resource ?? new URL(path, absoluteUrl(request, options)).href;
}
