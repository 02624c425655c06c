import { lookup } from 'node:dns/promises';
import { within } from '../client/deadline.ts';
import { ping } from '../client/exchange.ts';
import { NoSuchPath } from '../client/failure.ts';
import { httpInvokeOn, type OpenRemote } from '../client/http-invoke.ts';
import { ApiError } from '../contract/errors.ts';
import { version as ownVersion } from '../version.ts';
import type { Check } from './checks.ts';
import { isInTheClear, openConfigured, type RemoteConfig } from './remote.ts';

/** Looks at the remote as a configuration names it. Asks only, and changes nothing. */
export async function checkRemote(config: RemoteConfig): Promise<Check[]> {
  const address = await checkAddress(config.base_url);
  try {
    const { remote, close } = openConfigured(config, () => {}, { tries_max: 1 });
    try {
      return [address, ...(await checkAnswers(remote, config))];
    } finally {
      await close();
    }
  } catch (error) {
    return [address, failed('Remote key', error)];
  }
}

async function checkAddress(base_url: string): Promise<Check> {
  const name = 'Remote address';
  const { hostname } = new URL(base_url);
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (found.length === 0) {
    const advice = 'Check base_url. Behind a proxy that resolves names this may be as it should.';
    return { name, status: 'warning', found: `the name ${hostname} cannot be resolved`, advice };
  }
  if (isInTheClear(base_url)) {
    const advice = 'Use https: the key and all memories can be read on the way.';
    return { name, status: 'warning', found: `${base_url} is not encrypted`, advice };
  }
  return { name, status: 'ok', found: base_url };
}

async function checkAnswers(remote: OpenRemote, config: RemoteConfig): Promise<Check[]> {
  const started = performance.now();
  const { problem } = await outcomeOf(() =>
    within(remote, undefined, (deadline) => remote.send(ping, deadline)),
  );
  const ms = Math.round(performance.now() - started);
  const isElsewhere = problem instanceof NoSuchPath;
  if (problem !== null && !isElsewhere && isUnreachable(problem)) {
    return [failed('Remote', problem)];
  }
  const who = await within(remote, undefined, remote.version);
  const server = who === null ? 'a server that is not mneme' : `mneme ${who}`;
  const own = who === null || who === ownVersion ? '' : `; this is ${ownVersion}`;
  const answered: Check = { name: 'Remote', status: 'ok', found: `${server}, in ${ms} ms${own}` };
  if (problem !== null && !isElsewhere) return [answered, failed('Remote key', problem)];
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
  if (problem !== null) return failed('Remote key', problem);
  const { org_id, project_id } = config;
  const places = [
    ...(org_id === null ? [] : [`organization ${org_id}`]),
    ...(project_id === null ? [] : [`project ${project_id}`]),
  ];
  const where = places.length === 0 ? "the key's own project" : places.join(', ');
  return { name: 'Remote key', status: 'ok', found: `valid in ${where}` };
}

async function outcomeOf(ask: () => Promise<unknown>): Promise<{ problem: ApiError | null }> {
  try {
    await ask();
    return { problem: null };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error };
    throw error;
  }
}

function failed(name: string, error: unknown): Check {
  if (!(error instanceof ApiError)) throw error;
  const { message, code, next } = error;
  return { name, status: 'failed', found: message, advice: next ?? advice[code] ?? general };
}

const general = 'Ask whoever runs the remote; its log says more.';

const advice: Partial<Record<ApiError['code'], string>> = {
  not_found: 'Check org_id and project_id: this key reaches no such place.',
  forbidden: 'Check what the key is bound to: mneme keys list, on the remote.',
  unavailable: 'Check base_url, and whether the remote runs and can be reached from here.',
};
