import { text } from 'node:stream/consumers';
import {
  type Archive,
  type ImportOptions,
  type ImportReport,
  openArchive,
  recognizeFile,
} from '../../app/archive.ts';
import { type App, createApp } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ApiError } from '../../contract/errors.ts';
import { tell } from '../../log.ts';
import { counted, isJson, isOn, wordsOf } from '../answer.ts';
import { runChatImport } from '../chat/command.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf, logOf } from '../configured.ts';
import { entitiesOf } from '../entity-flags.ts';
import type { Arguments } from '../flags.ts';
import { openFile } from '../open-file.ts';
import { columns, print, printJson } from '../output.ts';
import { createProgress } from '../progress.ts';

export const run: RunCommand = async (args) => {
  const { flags } = args;
  const chat = chatOf(args);
  if (chat !== null) return runChatImport(args, chat);
  const source = sourceOf(args);
  const asJson = isJson(flags);
  const loaded = await localConfigOf({ flags }, 'import');
  // Before the store is opened, and made: a wrong name must change nothing.
  const input = 'file' in source ? await openInput(source.file, flags) : source;
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    const options = optionsOf(flags);
    const report = await carryOut({ app, loaded, input }, options);
    if (asJson) printJson(report);
    else print(described(report, { ...options, input }));
    checkEnd(report, input);
    return options.dry_run && report.refused > 0 ? 2 : 0;
  } finally {
    await app.close();
  }
};

/** The file of conversations, when that is what is imported. */
function chatOf({ flags, positionals }: Arguments): string | null {
  const isChat = isOn(flags.chat);
  const stray = (isChat ? notForChats : forChats).find((name) => flags[name] !== undefined);
  if (stray !== undefined) {
    const what = isChat ? 'does not go with --chat' : 'goes with --chat';
    throw new ApiError('invalid', `flag ${dashed(stray)}: ${what}`);
  }
  if (!isChat) return null;
  const [file = ''] = wordsOf(positionals, 'FILE');
  return file;
}

const forChats = ['verbatim', 'again'];
const notForChats = ['from_url', 'from_org_id', 'from_project_id', 'skip_invalid'];

function dashed(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

type RemoteSource = Parameters<Archive['importRemote']>[0];
type RemoteInput = Omit<RemoteSource, 'api_key'> & { api_key?: string };
type Source = { file: string } | RemoteInput;

/** A file and an instance exclude each other, with what belongs to each. */
function sourceOf({ flags, positionals }: Arguments): Source {
  const { from_url, api_key, from_org_id, from_project_id } = textsOf(flags);
  const ids = entitiesOf({ flags });
  if (from_url === undefined) {
    const [file = ''] = wordsOf(positionals, 'FILE (or --from-url)');
    checkStray(['api_key', 'from_org_id', 'from_project_id'], flags);
    return { file };
  }
  wordsOf(positionals);
  const place = { org_id: from_org_id, project_id: from_project_id };
  return { url: from_url, ...place, ids, ...(api_key !== undefined && { api_key }) };
}

function checkStray(names: readonly string[], flags: Arguments['flags']): void {
  const stray = names.find((name) => flags[name] !== undefined);
  if (stray === undefined) return;
  throw new ApiError('invalid', `flag ${dashed(stray)}: goes with --from-url, not with FILE`);
}

type FileInput = Awaited<ReturnType<typeof recognizeFile>>;
type Input = FileInput | RemoteInput;

/** Lines of an export say whose they are; in a file of another server nothing does. */
async function openInput(file: string, flags: Arguments['flags']): Promise<FileInput> {
  const stream = file === '-' ? process.stdin : (await openFile(file)).createReadStream();
  const input = await recognizeFile(stream);
  if (input.kind === 'export') checkStray(Object.keys(entitiesOf({ flags })), flags);
  return input;
}

function textsOf(flags: Arguments['flags']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, String(value)]));
}

type Work = { app: App; loaded: LoadedConfig; input: Input };

async function carryOut({ app, loaded, input }: Work, options: ImportOptions) {
  const { values } = loaded;
  if ('url' in input) {
    const api_key = await keyOf(input, loaded);
    const archive = await openArchive(await app.open(), values, logOf(loaded));
    return archive.importRemote({ ...input, api_key }, options);
  }
  const archive = await openArchive(await app.open(), values, logOf(loaded));
  return input.kind === 'export'
    ? archive.importLines(input.bytes, options)
    : archive.importServerMemory(input.bytes, values, options);
}

async function keyOf({ api_key }: { api_key?: string }, { values }: LoadedConfig): Promise<string> {
  if (api_key === '-') return (await text(process.stdin)).trim();
  const key = api_key ?? values.api_key;
  if (key === null) throw new ApiError('invalid', '--from-url needs --api-key or MNEME_API_KEY');
  return key;
}

/** Enough to see what is wrong with a file. */
const problemsShown = 20;

function optionsOf(flags: Arguments['flags']): ImportOptions {
  const progress = createProgress();
  let problems = 0;
  return {
    dry_run: isOn(flags.dry_run),
    skip_invalid: isOn(flags.skip_invalid),
    onRefusal: (problem) => {
      problems += 1;
      if (problems <= problemsShown) tell(problem);
      if (problems === problemsShown) tell('... more are counted, not shown');
    },
    onProgress: ({ memories }) => {
      const { added, updated, unchanged } = memories;
      progress(() => `read ${counted(added + updated + unchanged, 'memory', 'memories')}`);
    },
  };
}

type Done = { dry_run: boolean; input: Input };

function described(report: ImportReport, { dry_run, input }: Done): string {
  const isGraph = 'kind' in input && input.kind === 'server-memory';
  const kinds = ['entities', 'memories', 'history', 'feedback'] as const;
  const rows = kinds
    .filter((kind) => !isGraph || kind === 'memories')
    .map((kind) => {
      const { added, updated, unchanged } = report[kind];
      return [kind, ...[added, updated, unchanged].map((count) => count.toLocaleString('en'))];
    });
  const table = columns([['', 'ADDED', 'UPDATED', 'UNCHANGED'], ...rows]);
  const refused = counted(report.refused, 'line', 'lines');
  const redacted = counted(report.redacted, 'line', 'lines');
  return [
    table,
    ...(report.refused > 0 ? [`  ${refused} left out`] : []),
    ...(report.redacted > 0 ? [`  secrets taken out of ${redacted}`] : []),
    ...(dry_run ? ['  Nothing was changed: a trial.'] : []),
  ].join('\n');
}

function checkEnd({ complete }: ImportReport, input: Input): void {
  if (complete || 'url' in input) return;
  const what = 'the last line is missing: {"kind": "end"}. What came before it was read';
  throw new ApiError('invalid', `${what}, but the file may have been cut off`);
}
