import { closest } from '../contract/closest.ts';
import { environment } from './environment.ts';
import { isOptionName, optionNames, options, variableOf } from './options.ts';
import type { Reading, Source } from './source.ts';
import { fromText } from './values.ts';

const prefix = variableOf('');

/** Installers of Claude Desktop bundles pass this text for a field that was left empty. */
const unfilled = /^\$\{user_config\.\w+\}$/;

/** Reads the variables `MNEME_*`. */
export function readEnvironment(cwd: string, env: NodeJS.ProcessEnv = environment): Source {
  const readings: Reading[] = [];
  const problems: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(prefix) || text === undefined) continue;
    if (text === '' || unfilled.test(text) || variable === configVariable) continue;
    if (isOfService(variable, text)) continue;
    const label = `environment ${variable}`;
    const name = variable.slice(prefix.length).toLowerCase();
    if (isOptionName(name) && variable === variableOf(name)) {
      readings.push({ name, value: fromText(options[name], text), label, folder: cwd });
    } else {
      problems.push(`${label}: ${unknownVariable(variable)}`);
    }
  }
  return { readings, problems };
}

/**
 * Kubernetes tells each pod of the services around it. Of one called `mneme` that is
 * `MNEME_PORT=tcp://10.0.0.1:80`, of `mneme-db` `MNEME_DB_SERVICE_HOST`: nobody's configuration.
 */
function isOfService(variable: string, text: string): boolean {
  if (variable.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(text)) return true;
  return /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(variable);
}

/** The variable that names a configuration file, as the flag `--config` does. */
export const configVariable = `${prefix}CONFIG`;

export function readConfigVariable(env: NodeJS.ProcessEnv = environment): string | undefined {
  return env[configVariable] || undefined;
}

function unknownVariable(variable: string): string {
  const names = optionNames.map(variableOf);
  const near = names.find((name) => name === variable.toUpperCase()) ?? closest(variable, names);
  return near === null
    ? 'is no option; see mneme help options'
    : `is no option; did you mean ${near}?`;
}
