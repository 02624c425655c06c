// server.json: the description of this server in the MCP registry.
import { documentedDefault, type Option } from '../src/config/option.ts';
import { orderedOptions } from '../src/config/option-sections.ts';
import { type OptionName, options, variableName } from '../src/config/options.ts';

/** The version of the format, which the address describes. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

type Package = {
  name: string;
  mcpName: string;
  version: string;
  description: string;
  repository: { url: string };
};

export function serverJson({ name, mcpName, version, description, repository }: Package) {
  return {
    $schema: schema,
    ...{ name: mcpName, title: name, description, version },
    repository: { url: repository.url.replace(/^git\+|\.git$/g, ''), source: 'github' },
    packages: [
      {
        ...{ registryType: 'npm', identifier: name, version, runtimeHint: 'npx' },
        transport: { type: 'stdio' },
        environmentVariables: orderedOptions.filter(isForUsers).map(variable),
      },
    ],
  };
}

/** Excludes options for operators, because clients ask their users for each option. */
function isForUsers(name: OptionName): boolean {
  const { installerTitle, fromProject }: Option = options[name];
  return installerTitle !== undefined || fromProject === 'allowed' || fromProject === 'tools';
}

function variable(name: OptionName) {
  const option: Option = options[name];
  const isSwitch = typeof option.default === 'boolean';
  return {
    name: variableName(name),
    description: isSwitch
      ? option.description
      : `${option.description} Default: ${documentedDefault(option)}.`,
    format: option.path ? 'filepath' : isSwitch ? 'boolean' : 'string',
    ...(isSwitch && { default: String(option.default) }),
    ...(option.secret && { isSecret: true }),
  };
}
