import { ApiError } from '../contract/errors.ts';
import type { Caller } from '../contract/index.ts';
import type { Scope } from '../contract/operation.ts';
import type { Project, Store } from './ports.ts';

type Request = {
  scope: Scope;
  input: { org_id?: string | undefined; project_id?: string | undefined };
  caller: Caller;
};

/**
 * Resolves where a request goes and decides whether the caller may make it. A project that does not
 * exist and one that the caller may not know of answer alike.
 */
export async function authorize({ scope, input, caller }: Request, store: Store): Promise<Project> {
  const named = input.org_id !== undefined || input.project_id !== undefined;
  const org_id = named ? input.org_id : caller.org_id;
  const project_id = named ? input.project_id : caller.project_id;
  const project = await store.findProject({
    ...(org_id != null && { org_id }),
    ...(project_id != null && { project_id }),
  });
  if (project === null || (caller.bound && project.project_id !== caller.project_id)) {
    throw new ApiError('not_found', 'organization or project not found');
  }
  if (scope.endsWith(':write') && caller.role !== 'OWNER') {
    throw new ApiError('forbidden', 'the role READER may only read');
  }
  return project;
}
