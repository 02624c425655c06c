import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError } from '../../../contract/errors.ts';
import { configFileMaxBytes, readRegularFile } from '../../../regular-file.ts';
import { conventionsOfName, type EmbeddingConventions } from './embedding-conventions.ts';
import type { ModelSettings, Pooling } from './process-messages.ts';

/**
 * How to use a model: as configured, otherwise as its own files say, otherwise as its name implies.
 * `folder` is where its files are, or will be cached after download.
 */
export async function readConventions(
  settings: ModelSettings,
  folder: string,
): Promise<EmbeddingConventions> {
  const conventions = conventionsOfName(settings.model);
  const pooling =
    settings.pooling ?? poolingFrom(await readConfigFields(poolingFile, settings, folder));
  const prompts = promptsFrom(await readConfigFields(promptsFile, settings, folder));
  const { question, memory } = settings.prefixes;
  return {
    pooling: pooling ?? conventions.pooling,
    prefixes: {
      question: question ?? prompts.question ?? conventions.prefixes.question,
      memory: memory ?? prompts.memory ?? conventions.prefixes.memory,
    },
  };
}

/** The format of Sentence Transformers. */
const poolingFile = '1_Pooling/config.json';
const promptsFile = 'config_sentence_transformers.json';

function poolingFrom(file: ModelConfigFields): Pooling | null {
  if (file['pooling_mode_cls_token'] === true) return 'cls';
  if (file['pooling_mode_lasttoken'] === true) return 'last';
  return file['pooling_mode_mean_tokens'] === true ? 'mean' : null;
}

function promptsFrom(file: ModelConfigFields): { question: string | null; memory: string | null } {
  const prompts = asFields(file['prompts']);
  const prefixNamed = (...names: string[]) => {
    const prefix = names.map((name) => prompts[name]).find((text) => typeof text === 'string');
    // An empty prefix may only mean that the documentation has it.
    return prefix === undefined || prefix === '' ? null : String(prefix);
  };
  return {
    question: prefixNamed('query', 'search_query', 'Retrieval-query'),
    memory: prefixNamed('document', 'passage', 'search_document', 'Retrieval-document'),
  };
}

type ModelConfigFields = Readonly<Record<string, unknown>>;

/** Empty if the model does not have the file; that is cached as well. */
async function readConfigFields(
  file: string,
  settings: ModelSettings,
  folder: string,
): Promise<ModelConfigFields> {
  const { isFolder, download } = settings;
  const path = join(revisionFolder(settings, folder), file);
  const cachedText = readIfThere(path);
  if (cachedText !== null) return parseFields(cachedText);
  if (isFolder || !download) return {};
  const text = await fetchFile(file, settings);
  if (text === null) return {};
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return parseFields(text);
}

function readIfThere(path: string): string | null {
  try {
    return readRegularFile(path, { bytesMax: configFileMaxBytes }).toString('utf8');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return null;
  }
}

/** Where the runtime caches the files of a revision. */
export function revisionFolder(
  { isFolder, revision }: Pick<ModelSettings, 'isFolder' | 'revision'>,
  folder: string,
): string {
  return isFolder || revision === 'main' ? folder : join(folder, revision);
}

const fetchTimeoutMs = 30_000;

/** Null if the hub does not say whether the file exists. */
async function fetchFile(file: string, settings: ModelSettings): Promise<string | null> {
  const { hub_url, model, revision } = settings;
  const from = `${hub_url.replace(/\/+$/, '')}/${model}/resolve/${encodeURIComponent(revision)}`;
  const answer = await fetch(`${from}/${file}`, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (answer.ok) return answer.text();
  await answer.body?.cancel();
  if (answer.status >= 500 || answer.status === 429) throw new Error(`Error (${answer.status})`);
  return answer.status === 404 ? '{}' : null;
}

function parseFields(text: string): ModelConfigFields {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return {};
  }
}

function asFields(value: unknown): ModelConfigFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
