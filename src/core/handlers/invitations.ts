import { ApiError } from '../../contract/errors.ts';
import type { invitations } from '../../contract/operations/invitations.ts';
import type { Caller } from '../../contract.ts';
import type { Deps, Handlers, Tables, TenantRef } from '../ports/index.ts';
import { getCallingAccount } from '../tenants/accounts.ts';

export function createInvitationHandlers({
  store,
  clock,
}: Deps): Pick<Handlers, keyof typeof invitations> {
  return {
    list_invitations: async ({ page, page_size }, { caller }) => {
      const { account_id } = await getCallingAccount(caller, store);
      const reach = await getReach(store, caller);
      if (reach === 'nothing') return { results: [], total: 0, page, page_size };
      const query = { place: reach === 'all' ? null : reach, page, page_size };
      return { ...(await store.members.listInvitations(account_id, query)), page, page_size };
    },

    accept_invitation: ({ org_id }, { caller }) => answer({ caller, org_id }, 'accepted'),
    decline_invitation: ({ org_id }, { caller }) => answer({ caller, org_id }, 'declined'),
  };

  function answer(invited: InvitedCaller, answered: 'accepted' | 'declined') {
    return store.transaction(async (tables) => {
      const { account_id } = await getCallingAccount(invited.caller, tables);
      const tenant = await getInvitedPlace(tables, invited);
      const isInvited =
        answered === 'accepted'
          ? await tables.members.acceptInvitations(tenant, account_id, clock.now())
          : await tables.members.declineInvitations(tenant, account_id);
      if (!isInvited) throw notFound();
      return { message: `Invitation ${answered}` };
    });
  }
}

type InvitedCaller = { caller: Caller; org_id: string };

/** The place that a key is bound to; it answers no invitation to another one. */
async function getReach(
  { projects }: Pick<Tables, 'projects'>,
  { bound_to, org_id, project_id }: Caller,
): Promise<TenantRef | 'all' | 'nothing'> {
  if (bound_to === null) return 'all';
  if (bound_to === 'organization') return { org_id: org_id ?? '', project_key: null };
  const project = await projects.find({ project_id: project_id ?? '' });
  return project === null ? 'nothing' : { org_id: project.org_id, project_key: project.key };
}

async function getInvitedPlace(
  tables: Tables,
  { caller, org_id }: InvitedCaller,
): Promise<TenantRef> {
  const reach = await getReach(tables, caller);
  if (reach === 'all') return { org_id, project_key: null };
  if (reach === 'nothing' || reach.org_id !== org_id) throw notFound();
  return reach;
}

function notFound(): ApiError {
  return new ApiError('not_found', 'Invitation not found');
}
