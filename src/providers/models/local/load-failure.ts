import { reasonOf } from '../../../contract/errors.ts';
import { type ModelSettings, notDownloadedSuffix } from './process-messages.ts';
import { MissingFile, MissingRuntime, runtimePackage } from './transformers-runtime.ts';

/** Why a model can't be loaded, and what to do about it, for the operator. */
export function loadFailureReason(error: unknown, settings: ModelSettings): string {
  const { model, models_dir, hub_url, dtype } = settings;
  const text = reasonOf(error);
  if (error instanceof MissingRuntime) {
    return (
      `${runtimePackage} is not installed; install it with: ` +
      `npm install --ignore-scripts --prefix ${quotePath(models_dir)} ${runtimePackage}`
    );
  }
  const file = error instanceof MissingFile ? text : missingFileName(text);
  if (file !== null) return `${model} has no ${file}${missingFileHint(file, settings)}`;
  if (/unauthorized|forbidden/i.test(text)) {
    return `${hub_url} refuses access to ${model}: check the name, or set HF_TOKEN`;
  }
  if (/fetch failed|terminated|timeout|Error \(\d+\)/i.test(text)) {
    return `${model} cannot be downloaded from ${hub_url}: ${causeText(error)}`;
  }
  return `${model} (${dtype}) cannot be loaded: ${firstLine(text)}`;
}

/** The file that an error of the runtime names; null without one. */
function missingFileName(text: string): string | null {
  if (!/could not locate|not found locally|local file missing/i.test(text)) return null;
  const path = /"([^"]+)"/.exec(text)?.[1] ?? '';
  return path
    .split(/[\\/]/)
    .slice(-2)
    .join('/')
    .replace(/^(?!onnx\/).*\//, '');
}

function missingFileHint(file: string, { isFolder, download, dtype }: ModelSettings): string {
  if (!isFolder && !download) return ` ${notDownloadedSuffix}`;
  if (!file.endsWith('.onnx')) return isFolder ? '' : ' on the hub: check the name';
  return `, which local_dtype ${dtype} needs: choose another, or a model with ONNX files`;
}

function causeText(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return firstLine(reasonOf(cause));
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 300);
}

function quotePath(path: string): string {
  return /^[\w./~:\\-]+$/.test(path) ? path : JSON.stringify(path);
}
