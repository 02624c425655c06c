import { closestName } from '../contract/did-you-mean.ts';
import type { ConfigEntry, ConfigSource } from './config-source.ts';
import { environment } from './environment.ts';
import { parseOptionText } from './option-values.ts';
import { isOptionName, optionNames, options, variableName } from './options.ts';

const variablePrefix = variableName('');

/** Installers of Claude Desktop bundles pass this text for an empty field. */
const unfilledPlaceholder = /^\$\{user_config\.\w+\}$/;

/** Reads the variables `MNEME_*`. */
export function readEnvironment(cwd: string, env: NodeJS.ProcessEnv = environment): ConfigSource {
  const entries: ConfigEntry[] = [];
  const problems: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(variablePrefix) || text === undefined) continue;
    if (text === '' || unfilledPlaceholder.test(text) || variable === configVariable) continue;
    if (isKubernetesVariable(variable, text)) continue;
    const label = `environment ${variable}`;
    const name = variable.slice(variablePrefix.length).toLowerCase();
    if (isOptionName(name) && variable === variableName(name)) {
      entries.push({ name, value: parseOptionText(options[name], text), label, folder: cwd });
    } else {
      problems.push(`${label}: ${unknownVariableProblem(variable)}`);
    }
  }
  return { entries, problems };
}

/**
 * Kubernetes injects variables for each service into every pod: `MNEME_PORT=tcp://10.0.0.1:80` for
 * a service named `mneme`, `MNEME_DB_SERVICE_HOST` for `mneme-db`. They are not configuration.
 */
function isKubernetesVariable(variable: string, text: string): boolean {
  if (variable.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(text)) return true;
  return /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(variable);
}

/** The variable that names a configuration file, as the flag `--config` does. */
export const configVariable = `${variablePrefix}CONFIG`;

export function readConfigVariable(env: NodeJS.ProcessEnv = environment): string | undefined {
  return env[configVariable] || undefined;
}

function unknownVariableProblem(variable: string): string {
  const names = optionNames.map(variableName);
  const suggestion =
    names.find((name) => name === variable.toUpperCase()) ?? closestName(variable, names);
  return suggestion === null
    ? 'is not an option; see mneme help options'
    : `is not an option; did you mean ${suggestion}?`;
}
