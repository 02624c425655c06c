import { configFileSchema } from '../../config/config-file.ts';
import { maskSecrets } from '../../config/load-config.ts';
import type { RunCommand } from '../command-line/command.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { printJson } from '../io/output.ts';

export const run: RunCommand = async (args) => {
  if (args.flags.schema) {
    printJson(await configFileSchema());
    return 0;
  }
  const { values, sources, files } = await loadCommandConfig(args);
  const visible = maskSecrets(values);
  printJson(args.flags.sources ? { files, values: visible, sources } : visible);
  return 0;
};
