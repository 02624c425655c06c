import type { MemberStatus, Role } from '../../contract/schemas/member.ts';
import type { ProjectSettings } from '../../contract/schemas/project.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Instant } from './time.ts';

/** A reference to a project; `key` is its number in the store. */
export type ProjectRef = { key: number; org_id: string; project_id: string };

/** A person; an invited one has no key yet. `number` tells the order of their creation. */
export type Account = {
  account_id: string;
  number: number;
  email: string;
  username: string;
  created_at: Instant;
};

export type AccountTable = {
  find(account_id: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  insert(account: StrictOmit<Account, 'number'>): Promise<Account>;
  /** The account that was created with the store: the local user. */
  getFirst(): Promise<Account>;
};

export type StoredOrganization = {
  number: number;
  org_id: string;
  name: string;
  description: string;
  address: string;
  contact_email: string;
  phone_number: string;
  website: string;
  owner_id: string;
  created_at: Instant;
  updated_at: Instant;
};

export type OrganizationTable = {
  find(org_id: string): Promise<StoredOrganization | null>;
  insert(organization: StrictOmit<StoredOrganization, 'number'>): Promise<StoredOrganization>;
  /** Oldest first; null lists all. */
  list(member_id: string | null): Promise<StoredOrganization[]>;
  /** Deletes the organization; its projects and members must be deleted first. */
  delete(org_id: string): Promise<void>;
};

export type StoredProject = ProjectRef & {
  name: string;
  description: string;
  settings: ProjectSettings;
  created_at: Instant;
  updated_at: Instant;
};

/** A name to look for, in one organization or all, of those that an account sees or all. */
export type ProjectName = { name: string; org_id?: string; account_id?: string };

export type ProjectTable = {
  find(ref: { org_id?: string; project_id?: string }): Promise<StoredProject | null>;
  /** Throws `conflict` when the id is taken. */
  insert(project: StrictOmit<StoredProject, 'key'>): Promise<StoredProject>;
  /** Oldest first; the oldest is the organization's default. */
  list(org_id: string): Promise<StoredProject[]>;
  /** Up to `limit`: first those that have the name, then others; oldest first. */
  listByName(wanted: ProjectName, limit: number): Promise<StoredProject[]>;
  update(
    project: ProjectRef,
    patch: Partial<Pick<StoredProject, 'name' | 'description' | 'settings'>> & {
      updated_at: Instant;
    },
  ): Promise<void>;
  /** Deletes the project with everything in every table that is keyed by it. */
  delete(project: ProjectRef): Promise<void>;
};

/** An organization, or one of its projects. */
export type TenantRef = { org_id: string; project_key: number | null };

/** A membership; while `accepted_at` is null it is an invitation, which gives access to nothing. */
export type StoredMember = Account & { role: Role; accepted_at: Instant | null };

export type StoredInvitation = {
  org_id: string;
  organization_name: string;
  project_id: string | null;
  project_name: string | null;
  role: Role;
  created_at: Instant;
};

export type NewMember = { account_id: string; role: Role; now: Instant };

export type MemberTable = {
  /** The account's direct role in this tenant; null without one, and while it is invited. */
  findRole(place: TenantRef, account_id: string): Promise<Role | null>;
  /** Members, or people who are invited; oldest first. */
  list(place: TenantRef, status?: MemberStatus): Promise<StoredMember[]>;
  /** The account becomes a member with this role, whether it was invited or a member before. */
  put(place: TenantRef, member: NewMember): Promise<void>;
  /** Invites the account to this role; of a member, it only changes the role. */
  invite(place: TenantRef, member: NewMember): Promise<void>;
  /** Removes a member; from an organization also means from its projects. */
  delete(place: TenantRef, account_id: string): Promise<void>;
  deleteAll(place: TenantRef): Promise<void>;
  /** The organizations and projects of which it is a direct member, in the order of acceptance. */
  listTenants(account_id: string): Promise<TenantRef[]>;
  /** The invitations to the place, or all; newest first. */
  listInvitations(
    account_id: string,
    query: { place: TenantRef | null; page: number; page_size: number },
  ): Promise<{ results: StoredInvitation[]; total: number }>;
  /** Open ones to all organizations that the owner of this one has, but to this place. */
  countOtherInvitations(place: TenantRef, account_id: string): Promise<number>;
  /** Invitations of an organization include those of its projects. False when there is none. */
  acceptInvitations(place: TenantRef, account_id: string, now: Instant): Promise<boolean>;
  declineInvitations(place: TenantRef, account_id: string): Promise<boolean>;
};

/** A stored credential: the SHA-256 of the key, never the key itself. */
export type StoredKey = {
  key_id: string;
  account_id: string;
  name: string;
  /** The beginning of the key, so that people recognize it. */
  prefix: string;
  hash: string;
  org_id: string | null;
  project_id: string | null;
  read_only: boolean;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  created_at: Instant;
};

export type KeyTable = {
  findByHash(hash: string): Promise<StoredKey | null>;
  insert(key: StoredKey): Promise<void>;
  /** Newest first. */
  list(): Promise<StoredKey[]>;
  /** False when there is no such key. */
  revoke(key_id: string, now: Instant): Promise<boolean>;
  touch(key_ids: readonly string[], now: Instant): Promise<void>;
};
