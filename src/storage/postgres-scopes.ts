import type { Tables } from '../core/ports.ts';
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
    ...{ findRole: tenants, list: tenants, put: tenants },
    ...{ delete: tenants, deleteAll: tenants, listPlaces: tenants },
  },
  keys: {
    ...{ findByHash: tenants, insert: tenants, list: tenants, revoke: tenants },
    touch: free, // a note that nobody waits for
  },
  webhooks: { locate: everybodys, insert: own, list: own, update: own, delete: own },
  deliveries: {
    ...{ insert: own, claim: everybodys, settle: ofJob, list: own },
    ...{ deleteByEntity: own, deleteSettledBefore: everybodys },
  },
  exports: {
    ...{ find: own, findLatest: own, insert: own, update: own, listAbout: own, delete: own },
    deleteSettledBefore: everybodys,
  },
  documents: { find: own, put: own, delete: own },
  answers: { reserve: free, complete: free, release: free, deleteBefore: free },
  memories: {
    ...{
      find: own,
      findMany: own,
      findByShortIds: own,
      findSame: own,
      findSlot: own,
      listSlots: own,
      insert: own,
      update: own,
      delete: own,
    },
    ...{ list: own, take: own, listExpiredProjects: everybodys, takeExpired: own },
    ...{ candidates: own, newest: own, happening: own, atPlaces: own },
    ...{ atPositions: own, size: own, outline: own },
  },
  entities: { find: own, list: own, delete: own },
  history: {
    ...{ insert: own, list: own, findRewrite: own, deleteSources: own, deleteByEntity: own },
  },
  feedback: { put: own, deleteByMemories: own },
  relations: { insert: own, list: own, deleteByMemories: own },
  events: {
    ...{ find: own, insert: own, update: own, list: own, count: own },
    ...{ insertMany: everybodys, deleteSettledBefore: everybodys, redactByEntity: own },
  },
  jobs: {
    ...{
      enqueue: own,
      hasAny: own,
      claim: everybodys,
      extend: ofJob,
      finish: ofJob,
      release: ofJob,
    },
    ...{ defer: ofJob, revoke: own, count: everybodys, deleteByEntity: own },
  },
  parts: { insert: ofJob, hasAny: ofJob, findNext: ofJob, complete: ofJob, listResults: ofJob },
  archive: {
    ...{ memories: own, entities: own, orphans: own, historyOf: own, feedbackOf: own },
    ...{ findElsewhere: everybodys, putEntities: own, restoreMemories: own },
  },
  languages: { list: own, add: own },
  analysis: { outdated: everybodys, put: own, settle: free },
  tokens: { spent: free, spend: free },
  vectors: {
    ...{ findSpace: everybodys, openSpace: everybodys, completeSpace: everybodys },
    ...{ restartSpace: everybodys, retireSpaces: everybodys, claim: everybodys },
    ...{ release: everybodys, unembedded: everybodys, put: everybodys, progress: everybodys },
    ...{ nearest: own, similarities: own, gather: { answers: null }, bytes: { answers: 0 } },
  },
};
