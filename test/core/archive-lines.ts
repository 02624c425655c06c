import { Readable } from 'node:stream';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { type ExportProjectOptions, exportProject } from '../../src/core/archive/export-project.ts';
import { type ImportLinesOptions, importLines } from '../../src/core/archive/import-lines.ts';
import { readLines } from '../../src/core/archive/read-lines.ts';
import type { ProjectRef } from '../../src/core/ports/index.ts';
import type { Engine } from '../support/engine.ts';

export type Line = Record<string, unknown> & { kind: string };

/** The lines of an export of this project. */
export async function exported(
  of: Engine,
  project: ProjectRef = of.projects.own,
  options: Partial<StrictOmit<ExportProjectOptions, 'project'>> = {},
): Promise<Line[]> {
  const stored = await of.store.projects.find(refOf(project));
  if (stored === null) throw new Error('the project exists');
  const lines: Line[] = [];
  for await (const line of exportProject(of.deps, { ids: {}, ...options, project: stored })) {
    lines.push(line as Line);
  }
  return lines;
}

export function refOf({ org_id, project_id }: ProjectRef) {
  return { org_id, project_id };
}

export function textOf(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

type Given = Partial<StrictOmit<ImportLinesOptions, 'project'>> & { project?: ProjectRef };

/** Imports a file of this text, which is trusted unless the options say otherwise. */
export async function importInto(to: Engine, text: string | Buffer, given: Given = {}) {
  const { project = to.projects.own, ...options } = given;
  const stored = await to.store.projects.find(refOf(project));
  if (stored === null) throw new Error('the project exists');
  const bytes = Readable.from([Buffer.from(text)]);
  return importLines(to.deps, readLines(bytes), { is_trusted: true, ...options, project: stored });
}
