import { lookup } from 'node:dns/promises';
import { withDeadline } from '../../client/deadline.ts';
import { pingRequest } from '../../client/http-connection.ts';
import { invokeOnConnection, type RemoteConnection } from '../../client/http-invoke.ts';
import { isNotFound } from '../../client/remote-errors.ts';
import { ApiError } from '../../contract/errors.ts';
import { version as ownVersion } from '../../version.ts';
import { isLoopback } from '../loopback.ts';
import {
  isUnencrypted,
  openConfiguredRemote,
  type RemoteConfig,
} from '../remote/connect-remote.ts';
import { checkCertificate } from './certificate-check.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** Checks the configured remote. Only reads. */
export async function checkRemote(config: RemoteConfig): Promise<Check[]> {
  const { base_url } = config;
  const address = [await checkAddress(base_url), ...(await checkCertificate(base_url))];
  try {
    const { remote, close } = openConfiguredRemote(config, () => {}, { tries_max: 1 });
    try {
      return [...address, ...(await checkServerAndKey(remote, config))];
    } finally {
      await close();
    }
  } catch (error) {
    return [...address, failedRemote('Remote key', error)];
  }
}

async function checkAddress(base_url: string): Promise<Check> {
  const name = 'Remote address';
  const { hostname } = new URL(base_url);
  const addressesng = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (addressesng.length === 0) {
    const advice = 'Check base_url. Behind a proxy that resolves names, this may be expected.';
    return warning(name, `the name ${hostname} cannot be resolved`, advice);
  }
  if (isUnencrypted(base_url)) {
    const advice =
      'Use https: without it, others on the network can read the key and all memories.';
    return warning(name, `${base_url} is not encrypted`, advice);
  }
  return ok(name, `${base_url}${isLoopback(base_url) ? ', on this machine' : ''}`);
}

async function checkServerAndKey(remote: RemoteConnection, config: RemoteConfig): Promise<Check[]> {
  const started = performance.now();
  const { problem } = await tryCall(() =>
    withDeadline(remote, undefined, (deadline) => remote.send(pingRequest, deadline)),
  );
  const ms = Math.round(performance.now() - started);
  const isElsewhere = isNotFound(problem);
  if (problem !== null && !isElsewhere && isUnreachable(problem)) {
    return [failedRemote('Remote', problem)];
  }
  const who = await withDeadline(remote, undefined, remote.version);
  const server = who === null ? 'a server that is not mneme' : `mneme ${who}`;
  const note = who === null || who === ownVersion ? '' : `; this is ${ownVersion}`;
  const answered = ok('Remote', `${server}, in ${ms} ms${note}`);
  if (problem !== null && !isElsewhere) return [answered, failedRemote('Remote key', problem)];
  return [answered, await checkProjectAccess(remote, config)];
}

/** Any other refusal means that the remote has answered. */
function isUnreachable({ code }: ApiError): boolean {
  return code === 'unavailable' || code === 'rate_limited';
}

/** One harmless request with the key, in the configured organization and project. */
async function checkProjectAccess(remote: RemoteConnection, config: RemoteConfig): Promise<Check> {
  const invoke = invokeOnConnection(remote, config);
  const { problem } = await tryCall(() => invoke('list_entities', { page_size: 1 }));
  if (problem !== null) return failedRemote('Remote key', problem);
  // Not every server says whose key it is.
  const { value } = await tryCall(() => invoke('ping', {}));
  const identity: Partial<NonNullable<typeof value>> = value ?? {};
  const { org_id = config.org_id, project_id = config.project_id, user_email } = identity;
  const places = [
    ...(org_id === null ? [] : [`organization ${org_id}`]),
    ...(project_id === null ? [] : [`project ${project_id}`]),
  ];
  const where = places.length === 0 ? "the key's own project" : places.join(', ');
  const whose = user_email === undefined ? '' : ` for ${user_email}`;
  return ok('Remote key', `valid${whose} in ${where}`);
}

type CallOutcome<T> = { problem: ApiError; value: null } | { problem: null; value: T };

async function tryCall<T>(call: () => Promise<T>): Promise<CallOutcome<T>> {
  try {
    return { problem: null, value: await call() };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error, value: null };
    throw error;
  }
}

function failedRemote(name: string, error: unknown): Check {
  if (!(error instanceof ApiError)) throw error;
  const { message, code, next } = error;
  return failed(name, message, next ?? adviceByCode[code] ?? generalAdvice);
}

const generalAdvice = 'Ask the operator of the remote; its log has the details.';

const adviceByCode: Partial<Record<ApiError['code'], string>> = {
  not_found: 'Check org_id and project_id: this key has no access to them.',
  forbidden: 'Check what the key is bound to: run mneme keys list on the remote.',
  unavailable: 'Check base_url, and that the remote is running and reachable from here.',
};
