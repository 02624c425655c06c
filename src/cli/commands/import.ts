import { text } from 'node:stream/consumers';
import type { App } from '../../app/create-app.ts';
import {
  type ArchiveImportOptions,
  type ImportReport,
  openProjectArchive,
  type ProjectArchive,
  recognizeFile,
} from '../../app/store/project-archive.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { printToStderr } from '../../log.ts';
import { runChatImport } from '../chat/import-command.ts';
import type { RunCommand } from '../command-line/command.ts';
import { readEntityFlags } from '../command-line/entity-flags.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { isSwitchOn, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { createCommandLog, loadLocalConfig } from '../context/command-config.ts';
import { requireOpenScope } from '../context/open-scope.ts';
import { withApp } from '../context/with-app.ts';
import { openFile } from '../io/open-file.ts';
import { formatColumns, print, printJson } from '../io/output.ts';
import { createProgressReporter } from '../io/progress.ts';

export const run: RunCommand = async (args) => {
  const { flags } = args;
  const chat = readChatFile(args);
  if (chat !== null) return runChatImport(args, chat);
  const source = readImportSource(args);
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadLocalConfig({ flags }, 'import');
  // Opened before the store is created: a wrong file name must change nothing.
  const input = 'file' in source ? await openInput(source.file, flags) : source;
  return withApp(loaded, async (app) => {
    const options = importOptionsOf(flags);
    const report = await runImport({ app, loaded, input }, options);
    if (asJson) printJson(report);
    else print(describeReport(report, { ...options, input }));
    checkComplete(report, input);
    return options.dry_run && report.refused > 0 ? 2 : 0;
  });
};

/** The file of conversations; null when --chat is off. */
function readChatFile({ flags, positionals }: CommandArguments): string | null {
  const isChat = isSwitchOn(flags.chat);
  const stray = (isChat ? archiveOnlyFlags : chatOnlyFlags).find(
    (name) => flags[name] !== undefined,
  );
  if (stray !== undefined) {
    const what = isChat ? 'cannot be used with --chat' : 'works only with --chat';
    throw new ApiError('invalid', `flag ${flagText(stray)}: ${what}`);
  }
  if (!isChat) return null;
  const [file = ''] = requirePositionals(positionals, 'FILE');
  return file;
}

const chatOnlyFlags = ['verbatim', 'again'];
const archiveOnlyFlags = ['from_url', 'from_org_id', 'from_project_id', 'skip_invalid', 'trust'];

function flagText(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

type ImportRemoteInput = Parameters<ProjectArchive['importRemote']>[0];
type ImportRemoteFlags = StrictOmit<ImportRemoteInput, 'api_key'> & { api_key?: string };
type ImportCommandSource = { file: string } | ImportRemoteFlags;

/** A file and an instance exclude each other, with what belongs to each. */
function readImportSource({ flags, positionals }: CommandArguments): ImportCommandSource {
  const { from_url, api_key, from_org_id, from_project_id } = flagTexts(flags);
  const ids = readEntityFlags({ flags });
  if (from_url === undefined) {
    const [file = ''] = requirePositionals(positionals, 'FILE (or --from-url)');
    checkRemoteFlags(['api_key', 'from_org_id', 'from_project_id'], flags);
    return { file };
  }
  requirePositionals(positionals);
  const source = { org_id: from_org_id, project_id: from_project_id };
  return { url: from_url, ...source, ids, ...(api_key !== undefined && { api_key }) };
}

function checkRemoteFlags(names: readonly string[], flags: CommandArguments['flags']): void {
  const stray = names.find((name) => flags[name] !== undefined);
  if (stray === undefined) return;
  throw new ApiError(
    'invalid',
    `flag ${flagText(stray)}: works only with --from-url, not with FILE`,
  );
}

type FileInput = Awaited<ReturnType<typeof recognizeFile>>;
type ImportInput = FileInput | ImportRemoteFlags;

/** Lines of an export name their owner, so entity flags are for other files only. */
async function openInput(file: string, flags: CommandArguments['flags']): Promise<FileInput> {
  const stream = file === '-' ? process.stdin : (await openFile(file)).createReadStream();
  const input = await recognizeFile(stream, file === '-' ? 'standard input' : file);
  if (input.kind === 'export') checkRemoteFlags(Object.keys(readEntityFlags({ flags })), flags);
  else if (isSwitchOn(flags.trust))
    throw new ApiError('invalid', 'flag --trust: works only with an export of mneme');
  return input;
}

function flagTexts(flags: CommandArguments['flags']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, String(value)]));
}

type ImportTask = { app: App; loaded: LoadedConfig; input: ImportInput };

async function runImport({ app, loaded, input }: ImportTask, options: ArchiveImportOptions) {
  const { values } = loaded;
  if ('url' in input || input.kind === 'export') requireOpenScope(values);
  const api_key = 'url' in input ? await readApiKey(input, loaded) : '';
  const archive = await openProjectArchive(await app.open(), values, createCommandLog(loaded));
  if ('url' in input) return archive.importRemote({ ...input, api_key }, options);
  return input.kind === 'export'
    ? archive.importLines(input.bytes, options)
    : archive.importServerMemory(input.bytes, values, options);
}

async function readApiKey(
  { api_key }: { api_key?: string },
  { values }: LoadedConfig,
): Promise<string> {
  if (api_key === '-') return (await text(process.stdin)).trim();
  const key = api_key ?? values.api_key;
  if (key === null) throw new ApiError('invalid', '--from-url needs --api-key or MNEME_API_KEY');
  return key;
}

/** Enough to see what is wrong with a file. */
const problemsShownMax = 20;

function importOptionsOf(flags: CommandArguments['flags']): ArchiveImportOptions {
  const progress = createProgressReporter();
  let problems = 0;
  return {
    is_trusted: isSwitchOn(flags.trust),
    dry_run: isSwitchOn(flags.dry_run),
    skip_invalid: isSwitchOn(flags.skip_invalid),
    onRefusal: (problem) => {
      problems += 1;
      if (problems <= problemsShownMax) printToStderr(problem);
      if (problems === problemsShownMax)
        printToStderr('... further lines are counted but not shown');
    },
    onProgress: ({ memories }) => {
      const { added, updated, unchanged } = memories;
      progress(() => `read ${formatCount(added + updated + unchanged, 'memory', 'memories')}`);
    },
  };
}

type Imported = { dry_run: boolean; input: ImportInput };

function describeReport(report: ImportReport, { dry_run, input }: Imported): string {
  const isGraph = 'kind' in input && input.kind === 'server-memory';
  const kinds = ['entities', 'memories', 'versions', 'history', 'feedback'] as const;
  const rows = kinds
    .filter((kind) => !isGraph || kind === 'memories')
    .map((kind) => {
      const { added, updated, unchanged } = report[kind];
      return [kind, ...[added, updated, unchanged].map((count) => count.toLocaleString('en'))];
    });
  const table = formatColumns([['', 'ADDED', 'UPDATED', 'UNCHANGED'], ...rows]);
  const refusals = formatCount(report.refused, 'line', 'lines');
  const redactions = formatCount(report.redacted, 'line', 'lines');
  const ahead = formatCount(report.ahead, 'line', 'lines');
  return [
    table,
    ...(report.refused > 0 ? [`  ${refusals} left out`] : []),
    ...(report.redacted > 0 ? [`  secrets removed from ${redactions}`] : []),
    ...(report.ahead > 0 ? [`  dates ahead of the clock not believed in ${ahead}`] : []),
    ...(report.settings.length > 0
      ? [`  project settings from the file: ${report.settings.join(', ')}`]
      : []),
    ...describeNotTrusted(report),
    ...(dry_run ? ['  Dry run: nothing was changed.'] : []),
  ].join('\n');
}

function describeNotTrusted({ not_trusted: { memories, settings } }: ImportReport): string[] {
  const lines = [
    ...(memories > 0
      ? [`  ${formatCount(memories, 'memory counts', 'memories count')} as imported only`]
      : []),
    ...(settings.length > 0
      ? [`  project settings in the file left out: ${settings.join(', ')}`]
      : []),
  ];
  return lines.length === 0 ? [] : [...lines, '  If this is your own export, use --trust.'];
}

function checkComplete({ complete }: ImportReport, input: ImportInput): void {
  if (complete || 'url' in input) return;
  const what = 'the last line, {"kind": "end"}, is missing. All lines before it were read';
  throw new ApiError('invalid', `${what}, but the file may be cut off`);
}
