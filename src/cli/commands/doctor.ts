import { type Check, failed, ok } from '../../app/doctor/check.ts';
import { checkData, checkMachine } from '../../app/doctor/local-checks.ts';
import { checkRestServer } from '../../app/doctor/rest-server-check.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { configuredScope } from '../../contract/scope/memory-scope.ts';
import { listTools } from '../../mcp/tools/list-tools.ts';
import type { RunCommand } from '../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { formatColumns, print, printJson } from '../io/output.ts';

/** Checks everything that mneme needs, changes nothing, and says what to do. */
export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const { check, loaded } = await checkConfig(flags);
  const data = loaded === null ? [] : await checkStoreOrRemote(loaded.values);
  const checks = [...(await checkMachine()), check, ...data];
  const healthy = checks.every(({ status }) => status !== 'failed');
  if (wantsJsonOutput(flags)) printJson({ healthy, checks });
  else print(formatReport(checks, healthy));
  return healthy ? 0 : 1;
};

/** Checks what the tools work on: a store on this machine, or a remote instance. */
async function checkStoreOrRemote(values: Config): Promise<Check[]> {
  const { base_url } = values;
  if (base_url === null) {
    const providers = [...(await checkModels(values)), ...(await checkTokenIssuer(values))];
    return [...(await checkStore(values)), ...providers, await checkRestServer(values)];
  }
  const { checkRemote } = await import('../../app/doctor/remote-checks.ts');
  return checkRemote({ ...values, base_url });
}

async function checkStore(values: Config): Promise<Check[]> {
  if (values.database_url === null) return checkData(values);
  const { checkDatabase } = await import('../../app/doctor/database-checks.ts');
  return checkDatabase(values.database_url, values);
}

/** Checks how searches work and the configured models; their code is loaded only here. */
async function checkModels(values: Config): Promise<Check[]> {
  return [...(await checkRetrievalModels(values)), ...(await checkLanguageModel(values))];
}

async function checkRetrievalModels(values: Config): Promise<Check[]> {
  const models = await import('../../app/doctor/model-checks.ts');
  return models.checkModels(values);
}

async function checkTokenIssuer(values: Config): Promise<Check[]> {
  if (values.oauth_issuer === null) return [];
  const { checkIssuer } = await import('../../app/doctor/oauth-check.ts');
  return [await checkIssuer(values)];
}

async function checkLanguageModel(values: Config): Promise<Check[]> {
  if (values.llm_url === null) return [];
  const { checkLanguageModel } = await import('../../app/doctor/language-model-check.ts');
  return [await checkLanguageModel(values)];
}

type ConfigCheck = { check: Check; loaded: LoadedConfig | null };

async function checkConfig(flags: Parameters<RunCommand>[0]['flags']): Promise<ConfigCheck> {
  const name = 'Configuration';
  try {
    const loaded = await loadCommandConfig({ flags });
    listTools({ ...loaded.values, scope: configuredScope(loaded.values) });
    const detail = `valid; ${describeSources(loaded)}`;
    return { check: ok(name, detail), loaded };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const advice = 'Correct it, then run doctor again to check the data too.';
    const detail = error.message.replaceAll('\n', '; ');
    return { check: failed(name, detail, advice), loaded: null };
  }
}

function describeSources({ files, sources }: LoadedConfig): string {
  const otherSources = Object.values(sources).filter((source) => !/^default$|: "/.test(source));
  const usage = [...files, ...otherSources];
  return usage.length === 0 ? 'defaults only' : `from ${usage.join(', ')}`;
}

function formatReport(checks: readonly Check[], healthy: boolean): string {
  const rows = checks.flatMap(({ name, status, found, advice }) => [
    [status, name, found],
    ...(advice === undefined ? [] : [['', '', `-> ${advice}`]]),
  ]);
  const end = healthy ? 'All is well.' : 'Something needs attention.';
  return `${formatColumns(rows)}\n\n  ${end}`;
}
