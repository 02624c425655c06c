import { listModels } from '../../app/models/list-models.ts';
import { catalog, modelNames, tableModel } from '../../app/models/model-catalog.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { RunCommand } from '../command-line/command.ts';
import { unknownNameError } from '../command-line/find-command.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { formatColumns, print, printJson } from '../io/output.ts';
import { formatModels } from '../models/format-models.ts';
import { type ModelSwitch, useModel, useTable } from '../models/use-model.ts';

/** Lists the embedding models, or switches to another. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const loaded = await loadLocalConfig({ flags }, 'models');
  const json = wantsJsonOutput(flags);
  if (positionals.length === 0) {
    const list = listModels(loaded.values);
    if (json) printJson(list);
    else print(formatModels(list));
    return 0;
  }
  const outcome = await switchModel(loaded, positionals);
  if (json) printJson(outcome);
  else print(formatSwitch(outcome));
  return 0;
};

function switchModel(loaded: LoadedConfig, words: readonly string[]): Promise<ModelSwitch> {
  const [action = ''] = words;
  if (action === 'off') {
    requirePositionals(words, 'off');
    return useTable(loaded);
  }
  if (action !== 'use') throw unknownNameError(action, { kind: 'action', known: ['use', 'off'] });
  if (words.length === 1) {
    throw new ApiError('invalid', `NAME is missing; use one of ${modelNames.join(', ')}`);
  }
  const [, name = ''] = requirePositionals(words, 'use', 'NAME');
  if (name === tableModel.name) return useTable(loaded);
  const model = catalog.find((one) => one.name === name);
  if (model === undefined) throw unknownNameError(name, { kind: 'model', known: modelNames });
  return useModel(loaded, model);
}

function formatSwitch(outcome: ModelSwitch): string {
  const { in_use, config_file, config_changed, local_embedder, memories, restart } = outcome;
  const option = local_embedder === null ? 'without' : 'with';
  const value = local_embedder === null ? '' : `: ${JSON.stringify(local_embedder)}`;
  const rows = [
    ['in use', in_use === 'words' ? 'words only' : in_use],
    ...filesRow(outcome),
    [
      config_changed ? 'changed' : 'unchanged',
      `${config_file}, ${option} "local_embedder"${value}`,
    ],
    ...(memories === null
      ? []
      : [['embedded', `${formatCount(memories, 'memory', 'memories')} with it`]]),
    ...restartRows(restart),
    ...outcome.notes.map((note) => ['note', note]),
  ];
  return formatColumns(rows);
}

function restartRows(pids: readonly number[] | null): string[][] {
  if (pids === null) return [['restart', 'programs that use this store, which search as before']];
  return pids.map((pid) => ['restart', `process ${pid}, which searches as before until then`]);
}

const checkedWords = {
  known: 'as mneme knows it',
  recorded: 'as at the first fetch',
  first: 'recorded for later fetches',
} as const;

function filesRow({ files }: ModelSwitch): string[][] {
  return files.map(({ file, sha256, checked }) => {
    return ['fetched', `${file}, SHA-256 ${sha256.slice(0, 12)}..., ${checkedWords[checked]}`];
  });
}
