import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { conventionsOfName, type EmbeddingConventions } from './embedding-conventions.ts';
import type { ModelSettings, Pooling } from './process-messages.ts';

/**
 * How a model is to be used: as configured, else as its own files say, else as its name tells.
 * `folder` is where its files are, or are kept once they have been downloaded.
 */
export async function readConventions(
  settings: ModelSettings,
  folder: string,
): Promise<EmbeddingConventions> {
  const known = conventionsOfName(settings.model);
  const pooling =
    settings.pooling ?? poolingFrom(await readConfigFields(poolingFile, settings, folder));
  const prompts = promptsFrom(await readConfigFields(promptsFile, settings, folder));
  const { question, memory } = settings.prefixes;
  return {
    pooling: pooling ?? known.pooling,
    prefixes: {
      question: question ?? prompts.question ?? known.prefixes.question,
      memory: memory ?? prompts.memory ?? known.prefixes.memory,
    },
  };
}

/** As Sentence Transformers writes them. */
const poolingFile = '1_Pooling/config.json';
const promptsFile = 'config_sentence_transformers.json';

function poolingFrom(file: ModelConfigFields): Pooling | null {
  if (file['pooling_mode_cls_token'] === true) return 'cls';
  if (file['pooling_mode_lasttoken'] === true) return 'last';
  return file['pooling_mode_mean_tokens'] === true ? 'mean' : null;
}

function promptsFrom(file: ModelConfigFields): { question: string | null; memory: string | null } {
  const prompts = asFields(file['prompts']);
  const given = (...names: string[]) => {
    const found = names.map((name) => prompts[name]).find((text) => typeof text === 'string');
    // An empty one may stand for one that its makers left to documents.
    return found === undefined || found === '' ? null : String(found);
  };
  return {
    question: given('query', 'search_query', 'Retrieval-query'),
    memory: given('document', 'passage', 'search_document', 'Retrieval-document'),
  };
}

type ModelConfigFields = Readonly<Record<string, unknown>>;

/** Empty for a file that a model does not have; that is kept, too, so that nobody asks again. */
async function readConfigFields(
  file: string,
  settings: ModelSettings,
  folder: string,
): Promise<ModelConfigFields> {
  const { isFolder, download } = settings;
  const path = join(revisionFolder(settings, folder), file);
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found !== null) return parseFields(found);
  if (isFolder || !download) return {};
  const text = await fetchFile(file, settings);
  if (text === null) return {};
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return parseFields(text);
}

/** Where the runtime keeps the files of a revision. */
export function revisionFolder({ isFolder, revision }: ModelSettings, folder: string): string {
  return isFolder || revision === 'main' ? folder : join(folder, revision);
}

const fetchTimeoutMs = 30_000;

/** Null where the hub does not say whether there is one. */
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
