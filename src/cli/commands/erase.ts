import type { App } from '../../app/create-app.ts';
import {
  type ErasurePreview,
  type ErasureTarget,
  eraseTarget,
  isGone,
  previewTarget,
  verifyFile,
} from '../../app/store/erase.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Receipt } from '../../contract/schemas/receipt.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import { contract } from '../../contract.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { isSwitchOn, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadFileStoreConfig, loadLocalConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { isTerminal } from '../init/terminal-prompt.ts';
import { confirm } from '../io/confirm.ts';
import { memoryTable } from '../io/memory-lines.ts';
import { print, printJson } from '../io/output.ts';
import { describeTerminal } from '../io/terminal.ts';

/** Shows what it erases and asks; prints the receipt and, if asked, searches the file itself. */
export const run: RunCommand = async (args) => {
  const { flags } = args;
  const verify = isSwitchOn(flags.verify);
  const target = readTarget(args, verify);
  if (isSwitchOn(flags.dry_run) && target === null) {
    throw invalid('--dry-run', 'needs what to erase: memory ids, or such as --user-id');
  }
  const commandArguments = withoutEntities(args);
  const loaded = await (verify ? loadFileStoreConfig : loadLocalConfig)(commandArguments, 'erase');
  const { timezone } = loaded.values;
  const eraseInApp = async (app: App) => {
    if (target === null) return nothingLeft;
    const fullTarget = await withFullTarget(app, target);
    const hasConsent = isSwitchOn(flags.yes) && !isSwitchOn(flags.dry_run);
    return hasConsent || (await isAgreed(app, fullTarget, { flags, timezone }))
      ? eraseTarget(app, fullTarget)
      : null;
  };
  // Texts that were erased before through REST or MCP may still be in the file.
  const unlessGone = async (app: App, error: unknown) => {
    if (verify && target !== null && (await isGone(app, target, error))) return nothingLeft;
    throw error;
  };
  const outcome = await withApp(loaded, (app) =>
    eraseInApp(app).catch((error) => unlessGone(app, error)),
  );
  if (outcome === null) return isSwitchOn(flags.dry_run) ? 0 : 1;
  const { texts, ...erasure } = outcome;
  const remains = verify ? await verifyFile(loaded.values, texts) : null;
  const report = { ...erasure, ...(remains !== null && { found_in_file: remains }) };
  if (wantsJsonOutput(flags)) printJson(report);
  else print(describe(report));
  const leftovers = Object.keys(erasure.receipt?.remaining ?? {});
  return leftovers.length > 0 || (remains ?? []).length > 0 ? 1 : 0;
};

/** Shows what would be erased. Nobody agrees in a dry run. */
async function isAgreed(
  app: App,
  target: ErasureTarget,
  { flags, timezone }: Pick<CommandArguments, 'flags'> & { timezone: string },
): Promise<boolean> {
  const preview = await previewTarget(app, target);
  const { total, deletedBefore } = preview;
  const isDry = isSwitchOn(flags.dry_run);
  const asJson = wantsJsonOutput(flags);
  if (isDry && asJson) {
    printJson({ dry_run: true, would_erase: total, deleted_before: deletedBefore });
    return false;
  }
  const summary = describePreview(preview, timezone);
  if (summary !== '') printToStderr(summary);
  const what = describeCounts(preview);
  if (isDry) {
    print(`would erase ${what}`);
    return false;
  }
  if (asJson || !isTerminal()) {
    throw new ApiError('invalid', `this erases ${what} for good`, { next: 'Add --yes to erase.' });
  }
  if (await confirm(`Erase ${what} for good, with history and all copies?`)) return true;
  printToStderr('Nothing was changed.');
  return false;
}

/** More would not be read before the question. */
const shownMax = 20;

function describePreview({ memories, total }: ErasurePreview, timezone: string): string {
  const samples = memories.slice(0, shownMax);
  if (samples.length === 0) return '';
  const more = total - samples.length;
  const table = memoryTable(samples, { ...describeTerminal(process.stderr), timezone });
  return more === 0 ? table : `${table}\nand ${formatCount(more, 'other', 'others')}`;
}

function describeCounts({ total, deletedBefore }: ErasurePreview): string {
  const before = formatCount(deletedBefore, 'memory', 'memories');
  const history = `the history of ${before} that ${deletedBefore === 1 ? 'was' : 'were'} deleted`;
  if (deletedBefore > 0 && total === 0) return history;
  const live = formatCount(total, 'memory', 'memories');
  return deletedBefore === 0 ? live : `${live} and ${history}`;
}

/** The target by full ids, each of a memory that is or was there. */
async function withFullTarget(app: App, target: ErasureTarget): Promise<ErasureTarget> {
  if (!('memory_ids' in target)) return target;
  const operation = contract.erase_memories;
  const input = await withFullIds({ operation }, target, { ...app, scope: {} });
  const { memory_ids } = parseInput(operation, input);
  for (const memory_id of memory_ids ?? []) await app.invoke('get_history', { memory_id }, app);
  return { memory_ids: memory_ids ?? [] };
}

const nothingLeft = { deleted: 0, receipt: null, texts: [] };

type Report = {
  deleted: number;
  receipt: Receipt | null;
  found_in_file?: string[];
};

/** Null if there is nothing to erase, and only the file to rewrite. */
function readTarget(
  { flags, positionals }: CommandArguments,
  verify: boolean,
): ErasureTarget | null {
  const ownerFields = entityIdFields.filter((field) => flags[field] !== undefined);
  const [field, ...others] = ownerFields;
  if (field === undefined && positionals.length > 0) return { memory_ids: [...positionals] };
  if (field !== undefined && others.length === 0 && positionals.length === 0) {
    return { entity: { [field]: String(flags[field]) } };
  }
  if (field === undefined && verify) return null;
  throw new ApiError(
    'invalid',
    'name memory ids, or one of --user-id, --agent-id, --app-id, --run-id, or only --verify',
  );
}

/** The entity to erase is not an option of the configuration. */
function withoutEntities({ flags }: CommandArguments): Pick<CommandArguments, 'flags'> {
  const otherFlags = Object.entries(flags).filter(
    ([name]) => !entityIdFields.some((one) => one === name),
  );
  return { flags: Object.fromEntries(otherFlags) };
}

function describe({ deleted, receipt, found_in_file }: Report): string {
  if (receipt === null)
    return 'nothing was left to erase; the file was rewritten without free space';
  const { removed, remaining, outside } = receipt;
  const rows = Object.entries(removed).map(([table, count]) => `  ${table}: ${count}`);
  const left = Object.entries(remaining).map(([table, count]) => `${table}: ${count}`);
  return [
    `erased ${formatCount(deleted, 'memory', 'memories')}; rows removed or emptied:`,
    ...rows,
    left.length === 0 ? 'a second look at every table and index found nothing' : `LEFT: ${left}`,
    ...(found_in_file === undefined
      ? []
      : [
          found_in_file.length === 0
            ? 'the file was rewritten, and its bytes hold none of the texts'
            : `the file was rewritten; other records hold ${found_in_file.length} of the texts too`,
        ]),
    'not reached:',
    ...outside.map((line) => `  ${line}`),
  ].join('\n');
}
