import { isObject } from '../../contract/is-object.ts';
import type { CallOptions, Invoke, OperationName, Output } from '../../contract.ts';
import type { AuditLog, ProjectRef } from '../ports/index.ts';

export type ObservedOptions = CallOptions & { onGranted?: (project: ProjectRef) => void };
type ObservedInvoke = <N extends OperationName>(
  name: N,
  input: unknown,
  options: ObservedOptions,
) => Promise<Output<N>>;

/** Writes an entry for each call, refused ones too. A call whose entry cannot be written fails. */
export function auditedInvoke(invoke: ObservedInvoke, { record }: AuditLog): Invoke {
  return async <N extends OperationName>(name: N, input: unknown, options: CallOptions) => {
    let project: ProjectRef | null = null;
    const onGranted = (granted: ProjectRef) => {
      project = granted;
    };
    const about = { name, caller: options.caller, input };
    const calling = invoke(name, input, { ...options, onGranted });
    const output = await calling.catch(async (error: unknown) => {
      await record({ ...about, project, output: null, error });
      throw error;
    });
    if (options.isPoll !== true || !isEmpty(output)) {
      await record({ ...about, project, output, error: null });
    }
    return output;
  };
}

function isEmpty(output: unknown): boolean {
  return isObject(output) && Array.isArray(output.results) && output.results.length === 0;
}
