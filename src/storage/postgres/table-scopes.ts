import type { Tables } from '../../core/ports/index.ts';
import type { RowScope } from './connection/row-security.ts';

/** The result of a function about the process's own memory, which PostgreSQL does not use. */
export type ConstantAnswer<R> = { constant: R };

/** The scope in which each function of the tables runs, given its arguments. */
type TableScopes = {
  [T in keyof Tables]: {
    [M in keyof Tables[T]]: Tables[T][M] extends (...args: infer A) => infer R
      ? (R extends Promise<unknown> ? (...args: A) => RowScope : never) | ConstantAnswer<Awaited<R>>
      : never;
  };
};

const projectScope = ({ key }: { key: number }): RowScope => key;
const jobScope = ({ project }: { project: { key: number } }): RowScope => project.key;
const queueScope = (): RowScope => 'queue';
const tenantScope = (): RowScope => 'tenants';
const noScope = (): RowScope => 'free';

export const tableScopes: TableScopes = {
  accounts: {
    find: tenantScope,
    findByEmail: tenantScope,
    insert: tenantScope,
    getFirst: tenantScope,
  },
  organizations: { find: tenantScope, insert: tenantScope, list: tenantScope, delete: tenantScope },
  projects: {
    find: tenantScope,
    insert: tenantScope,
    list: tenantScope,
    update: tenantScope,
    delete: projectScope,
  },
  members: {
    findRole: tenantScope,
    list: tenantScope,
    put: tenantScope,
    delete: tenantScope,
    deleteAll: tenantScope,
    listTenants: tenantScope,
    invite: tenantScope,
    listInvitations: tenantScope,
    acceptInvitations: tenantScope,
    declineInvitations: tenantScope,
  },
  keys: {
    findByHash: tenantScope,
    insert: tenantScope,
    list: tenantScope,
    revoke: tenantScope,
    touch: noScope, // a note that nobody waits for
  },
  webhooks: {
    findInAnyProject: queueScope,
    insert: projectScope,
    list: projectScope,
    update: projectScope,
    delete: projectScope,
  },
  deliveries: {
    insert: projectScope,
    claim: queueScope,
    bringForward: queueScope,
    recordAttempt: jobScope,
    list: projectScope,
    deleteSettledBefore: queueScope,
  },
  exports: {
    find: projectScope,
    findLatest: projectScope,
    insert: projectScope,
    update: projectScope,
    listByEntity: projectScope,
    delete: projectScope,
    deleteSettledBefore: queueScope,
  },
  documents: {
    find: projectScope,
    list: projectScope,
    put: projectScope,
    delete: projectScope,
  },
  idempotencyKeys: { reserve: noScope, complete: noScope, release: noScope, deleteBefore: noScope },
  memories: {
    find: projectScope,
    findMany: projectScope,
    findDuplicate: projectScope,
    findWaitingDuplicate: projectScope,
    findBySlot: projectScope,
    listWithSlot: projectScope,
    insert: projectScope,
    update: projectScope,
    delete: projectScope,
    list: projectScope,
    listCategories: projectScope,
    listOldest: projectScope,
    listProjectsWithExpired: queueScope,
    listExpired: projectScope,
    listCandidates: projectScope,
    listNewest: projectScope,
    listByOccurrence: projectScope,
    listByRunPlaces: projectScope,
    listByPositions: projectScope,
    size: projectScope,
    getScopeStats: projectScope,
  },
  entities: {
    create: projectScope,
    find: projectScope,
    list: projectScope,
    countWithMemories: projectScope,
    delete: projectScope,
  },
  history: {
    insert: projectScope,
    list: projectScope,
    listNewest: projectScope,
    findLastRewrite: projectScope,
    deleteSources: projectScope,
  },
  feedback: { put: projectScope, deleteByMemories: projectScope },
  relations: { insert: projectScope, list: projectScope, deleteByMemories: projectScope },
  events: {
    find: projectScope,
    insert: projectScope,
    update: projectScope,
    list: projectScope,
    countByType: projectScope,
    insertMany: queueScope,
    deleteSettledBefore: queueScope,
    settleUnfinished: projectScope,
  },
  jobs: {
    enqueue: projectScope,
    hasAny: projectScope,
    claim: queueScope,
    bringForward: queueScope,
    extendLease: jobScope,
    finish: jobScope,
    release: jobScope,
    defer: jobScope,
    revokeLeases: projectScope,
    count: queueScope,
  },
  jobSteps: {
    insert: jobScope,
    hasAny: jobScope,
    findNext: jobScope,
    complete: jobScope,
    listResults: jobScope,
  },
  archive: {
    listMemories: projectScope,
    listEntities: projectScope,
    listOrphanedHistory: projectScope,
    listHistory: projectScope,
    listFeedback: projectScope,
    listForeignIds: queueScope,
    putEntities: projectScope,
    restoreMemories: projectScope,
  },
  erasure: {
    select: projectScope,
    count: projectScope,
    erase: projectScope,
    overwriteDeleted: projectScope,
    rewriteIndexes: projectScope,
  },
  audit: {
    append: noScope,
    list: noScope,
    listAfter: noScope,
    deleteBefore: noScope,
    getSalt: projectScope,
  },
  languages: { list: projectScope, add: projectScope },
  analysis: { listOutdated: queueScope, updateTerms: projectScope, markCurrent: noScope },
  tokens: { getUsage: noScope, addUsage: noScope },
  vectors: {
    findModel: queueScope,
    openModel: queueScope,
    markModelComplete: queueScope,
    restartModel: queueScope,
    renameModel: queueScope,
    deleteUnusedVectors: queueScope,
    acquireLease: queueScope,
    releaseLease: queueScope,
    listUnembedded: queueScope,
    listAfter: queueScope,
    put: queueScope,
    skipEmbedded: queueScope,
    getProgress: queueScope,
    searchNearest: projectScope,
    getSimilarities: projectScope,
    compareTexts: noScope, // reads no row
    preload: { constant: null },
    cachedBytes: { constant: 0 },
  },
  versions: {
    findMany: projectScope,
    list: projectScope,
    listOldest: projectScope,
    listCandidates: projectScope,
    listVersions: projectScope,
    listEndedBy: projectScope,
    listChanged: projectScope,
    deleteEndedBefore: queueScope,
  },
  shortIds: { find: projectScope },
};
