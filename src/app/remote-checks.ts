import { lookup } from 'node:dns/promises';
import { within } from '../client/deadline.ts';
import { ping } from '../client/exchange.ts';
import { isUnknown } from '../client/failure.ts';
import { httpInvokeOn, type OpenRemote } from '../client/http-invoke.ts';
import { ApiError } from '../contract/errors.ts';
import { version as ownVersion } from '../version.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { isLoopback } from './connection.ts';
import { isInTheClear, openConfigured, type RemoteConfig } from './remote.ts';
import { checkCertificate } from './remote-certificate.ts';

/** Looks at the remote as a configuration names it. Asks only, and changes nothing. */
export async function checkRemote(config: RemoteConfig): Promise<Check[]> {
  const { base_url } = config;
  const address = [await checkAddress(base_url), ...(await checkCertificate(base_url))];
  try {
    const { remote, close } = openConfigured(config, () => {}, { tries_max: 1 });
    try {
      return [...address, ...(await checkAnswers(remote, config))];
    } finally {
      await close();
    }
  } catch (error) {
    return [...address, refused('Remote key', error)];
  }
}

async function checkAddress(base_url: string): Promise<Check> {
  const name = 'Remote address';
  const { hostname } = new URL(base_url);
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (found.length === 0) {
    const advice = 'Check base_url. Behind a proxy that resolves names this may be as it should.';
    return warning(name, `the name ${hostname} cannot be resolved`, advice);
  }
  if (isInTheClear(base_url)) {
    const advice = 'Use https: the key and all memories can be read on the way.';
    return warning(name, `${base_url} is not encrypted`, advice);
  }
  return ok(name, `${base_url}${isLoopback(base_url) ? ', on this machine' : ''}`);
}

async function checkAnswers(remote: OpenRemote, config: RemoteConfig): Promise<Check[]> {
  const started = performance.now();
  const { problem } = await outcomeOf(() =>
    within(remote, undefined, (deadline) => remote.send(ping, deadline)),
  );
  const ms = Math.round(performance.now() - started);
  const isElsewhere = isUnknown(problem);
  if (problem !== null && !isElsewhere && isUnreachable(problem)) {
    return [refused('Remote', problem)];
  }
  const who = await within(remote, undefined, remote.version);
  const server = who === null ? 'a server that is not mneme' : `mneme ${who}`;
  const own = who === null || who === ownVersion ? '' : `; this is ${ownVersion}`;
  const answered = ok('Remote', `${server}, in ${ms} ms${own}`);
  if (problem !== null && !isElsewhere) return [answered, refused('Remote key', problem)];
  return [answered, await checkPlace(remote, config)];
}

/** Who refuses the key, or a place, has answered. */
function isUnreachable({ code }: ApiError): boolean {
  return code === 'unavailable' || code === 'rate_limited';
}

/** One harmless question with the key, in the configured place. */
async function checkPlace(remote: OpenRemote, config: RemoteConfig): Promise<Check> {
  const invoke = httpInvokeOn(remote, config);
  const { problem } = await outcomeOf(() => invoke('list_entities', { page_size: 1 }));
  if (problem !== null) return refused('Remote key', problem);
  // Not every server tells whose key it is.
  const { value } = await outcomeOf(() => invoke('ping', {}));
  const own: Partial<NonNullable<typeof value>> = value ?? {};
  const { org_id = config.org_id, project_id = config.project_id, user_email } = own;
  const places = [
    ...(org_id === null ? [] : [`organization ${org_id}`]),
    ...(project_id === null ? [] : [`project ${project_id}`]),
  ];
  const where = places.length === 0 ? "the key's own project" : places.join(', ');
  const whose = user_email === undefined ? '' : ` for ${user_email}`;
  return ok('Remote key', `valid${whose} in ${where}`);
}

type Outcome<T> = { problem: ApiError; value: null } | { problem: null; value: T };

async function outcomeOf<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { problem: null, value: await ask() };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error, value: null };
    throw error;
  }
}

function refused(name: string, error: unknown): Check {
  if (!(error instanceof ApiError)) throw error;
  const { message, code, next } = error;
  return failed(name, message, next ?? advice[code] ?? general);
}

const general = 'Ask whoever runs the remote; its log says more.';

const advice: Partial<Record<ApiError['code'], string>> = {
  not_found: 'Check org_id and project_id: this key reaches no such place.',
  forbidden: 'Check what the key is bound to: mneme keys list, on the remote.',
  unavailable: 'Check base_url, and whether the remote runs and can be reached from here.',
};
