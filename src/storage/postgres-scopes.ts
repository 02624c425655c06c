import type { Tables } from '../core/ports/index.ts';
import type { Scope } from './dialects/postgres-scope.ts';

/** What a function answers that is about this process's memory, in which nothing is kept. */
export type Kept<R> = { answers: R };

/** In which scope each function of the tables runs, by what it is given. */
type Scopes = {
  [T in keyof Tables]: {
    [M in keyof Tables[T]]: Tables[T][M] extends (...args: infer A) => infer R
      ? (R extends Promise<unknown> ? (...args: A) => Scope : never) | Kept<Awaited<R>>
      : never;
  };
};

const own = ({ key }: { key: number }): Scope => key;
const ofJob = ({ project }: { project: { key: number } }): Scope => project.key;
const everybodys = (): Scope => 'queue';
const tenants = (): Scope => 'tenants';
const free = (): Scope => 'free';

export const scopes: Scopes = {
  accounts: { find: tenants, findByEmail: tenants, insert: tenants, getFirst: tenants },
  organizations: { find: tenants, insert: tenants, list: tenants, delete: tenants },
  projects: { find: tenants, insert: tenants, list: tenants, update: tenants, delete: own },
  members: {
    findRole: tenants,
    list: tenants,
    put: tenants,
    delete: tenants,
    deleteAll: tenants,
    listTenants: tenants,
  },
  keys: {
    findByHash: tenants,
    insert: tenants,
    list: tenants,
    revoke: tenants,
    touch: free, // a note that nobody waits for
  },
  webhooks: { findInAnyProject: everybodys, insert: own, list: own, update: own, delete: own },
  deliveries: {
    insert: own,
    claim: everybodys,
    recordAttempt: ofJob,
    list: own,
    deleteByEntity: own,
    deleteSettledBefore: everybodys,
  },
  exports: {
    find: own,
    findLatest: own,
    insert: own,
    update: own,
    listByEntity: own,
    delete: own,
    deleteSettledBefore: everybodys,
  },
  documents: { find: own, put: own, delete: own },
  idempotencyKeys: { reserve: free, complete: free, release: free, deleteBefore: free },
  memories: {
    find: own,
    findMany: own,
    findDuplicate: own,
    findBySlot: own,
    listWithSlot: own,
    insert: own,
    update: own,
    delete: own,
    list: own,
    listOldest: own,
    listProjectsWithExpired: everybodys,
    listExpired: own,
    listCandidates: own,
    listNewest: own,
    listByOccurrence: own,
    listByRunPlaces: own,
    listByPositions: own,
    size: own,
    getScopeStats: own,
  },
  entities: { find: own, list: own, delete: own },
  history: {
    insert: own,
    list: own,
    findLastRewrite: own,
    deleteSources: own,
    deleteByEntity: own,
  },
  feedback: { put: own, deleteByMemories: own },
  relations: { insert: own, list: own, deleteByMemories: own },
  events: {
    find: own,
    insert: own,
    update: own,
    list: own,
    countByType: own,
    insertMany: everybodys,
    deleteSettledBefore: everybodys,
    redactByEntity: own,
  },
  jobs: {
    enqueue: own,
    hasAny: own,
    claim: everybodys,
    extendLease: ofJob,
    finish: ofJob,
    release: ofJob,
    defer: ofJob,
    revokeLeases: own,
    count: everybodys,
    deleteByEntity: own,
  },
  jobSteps: { insert: ofJob, hasAny: ofJob, findNext: ofJob, complete: ofJob, listResults: ofJob },
  archive: {
    listMemories: own,
    listEntities: own,
    listOrphanedHistory: own,
    listHistory: own,
    listFeedback: own,
    listForeignIds: everybodys,
    putEntities: own,
    restoreMemories: own,
  },
  languages: { list: own, add: own },
  analysis: { listOutdated: everybodys, updateTerms: own, markCurrent: free },
  tokens: { getUsage: free, addUsage: free },
  vectors: {
    findSpace: everybodys,
    openSpace: everybodys,
    completeSpace: everybodys,
    restartSpace: everybodys,
    deleteUnusedVectors: everybodys,
    acquireLease: everybodys,
    releaseLease: everybodys,
    listUnembedded: everybodys,
    put: everybodys,
    getProgress: everybodys,
    searchNearest: own,
    getSimilarities: own,
    preload: { answers: null },
    cachedBytes: { answers: 0 },
  },
};
