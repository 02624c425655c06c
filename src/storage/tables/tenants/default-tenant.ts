import { randomUUID } from 'node:crypto';
import type { Database } from '../../sql/dialect.ts';

/** Creates what every store begins with: the local user's account, organization and project. */
export async function insertDefaultTenant(db: Database): Promise<void> {
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const account_id = randomUUID();
  const org_id = randomUUID();
  await db
    .insertInto('accounts')
    .values({ account_id, email: 'owner@localhost', username: 'owner', created_at: now })
    .execute();
  await db
    .insertInto('organizations')
    .values({ org_id, name: 'Default', ...noDetails, owner_id: account_id, ...times })
    .execute();
  await db
    .insertInto('members')
    .values({
      org_id,
      project_key: null,
      account_id,
      role: 'OWNER',
      created_at: now,
      accepted_at: now,
    })
    .execute();
  await db
    .insertInto('projects')
    .values({ org_id, project_id: randomUUID(), name: 'Default', ...defaultProject, ...times })
    .execute();
}

const noDetails = {
  description: '',
  address: '',
  contact_email: '',
  phone_number: '',
  website: '',
};

/** Missing settings have the defaults of the reader. */
const defaultProject = { description: '', settings: '{}', total_memories: 0 };
