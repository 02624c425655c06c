import { type Check, failed, ok } from '../../app/check.ts';
import { checkData, checkMachine, checkServer } from '../../app/checks.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { hasEmbedder, hasReranker } from '../../config/model-options.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { listTools } from '../../mcp/listed.ts';
import { isJson } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, scopeOf } from '../configured.ts';
import { columns, print, printJson } from '../output.ts';

/** Looks at everything that has to be right, changes nothing, and says what to do. */
export const run: RunCommand = async ({ flags }) => {
  const { check, loaded } = await checkConfig(flags);
  const data = loaded === null ? [] : await checkWork(loaded.values);
  const checks = [...(await checkMachine()), check, ...data];
  const healthy = checks.every(({ status }) => status !== 'failed');
  if (isJson(flags)) printJson({ healthy, checks });
  else print(report(checks, healthy));
  return healthy ? 0 : 1;
};

/** What the configured tools work on: a store of this machine, or a remote instance. */
async function checkWork(values: Config): Promise<Check[]> {
  const { base_url } = values;
  if (base_url === null) {
    const asked = [...(await checkModels(values)), ...(await checkTokens(values))];
    return [...(await checkStore(values)), ...asked, checkServer(values)];
  }
  const { checkRemote } = await import('../../app/remote-checks.ts');
  return checkRemote({ ...values, base_url });
}

async function checkStore(values: Config): Promise<Check[]> {
  if (values.database_url === null) return checkData(values);
  const { checkDatabase } = await import('../../app/database-checks.ts');
  return checkDatabase(values.database_url);
}

/** Asks the models that are configured; the code for it is loaded only then. */
async function checkModels(values: Config): Promise<Check[]> {
  return [...(await checkRetrieving(values)), ...(await checkReading(values))];
}

async function checkRetrieving(values: Config): Promise<Check[]> {
  if (!hasEmbedder(values) && !hasReranker(values)) return [];
  const models = await import('../../app/model-checks.ts');
  return models.checkModels(values);
}

/** Asks the configured issuer of tokens for its keys. */
async function checkTokens(values: Config): Promise<Check[]> {
  if (values.oauth_issuer === null) return [];
  const { checkIssuer } = await import('../../app/oauth/issuer-checks.ts');
  return [await checkIssuer(values)];
}

async function checkReading(values: Config): Promise<Check[]> {
  if (values.llm_url === null) return [];
  const { checkLanguage } = await import('../../app/language-check.ts');
  return [await checkLanguage(values)];
}

type Loaded = { check: Check; loaded: LoadedConfig | null };

async function checkConfig(flags: Parameters<RunCommand>[0]['flags']): Promise<Loaded> {
  const name = 'Configuration';
  try {
    const loaded = await configOf({ flags });
    listTools({ ...loaded.values, scope: scopeOf(loaded.values) });
    const found = `valid; ${sourcesOf(loaded)}`;
    return { check: ok(name, found), loaded };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const advice = 'Correct it; then the data are checked too.';
    const found = error.message.replaceAll('\n', '; ');
    return { check: failed(name, found, advice), loaded: null };
  }
}

function sourcesOf({ files, sources }: LoadedConfig): string {
  const others = Object.values(sources).filter((source) => !/^default$|: "/.test(source));
  const used = [...files, ...others];
  return used.length === 0 ? 'nothing but defaults' : `from ${used.join(', ')}`;
}

function report(checks: readonly Check[], healthy: boolean): string {
  const rows = checks.flatMap(({ name, status, found, advice }) => [
    [status, name, found],
    ...(advice === undefined ? [] : [['', '', `-> ${advice}`]]),
  ]);
  const end = healthy ? 'All is well.' : 'Something needs attention.';
  return `${columns(rows)}\n\n  ${end}`;
}
