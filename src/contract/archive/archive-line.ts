import * as z from 'zod';
import { ApiError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { parseInput } from '../parse-input.ts';
import { changeTypes, FeedbackReason, feedbackValues } from '../schemas/change.ts';
import { checkValidity } from '../schemas/clocks.ts';
import { EntityId, entityIdFields, entityTypes } from '../schemas/entity.ts';
import { ArchivedMetadata } from '../schemas/json.ts';
import { Description, DisplayName } from '../schemas/member.ts';
import {
  granularities,
  memoryStatuses,
  memoryTypes,
  reviewReasons,
  sourceClasses,
} from '../schemas/memory.ts';
import { Message } from '../schemas/message.ts';
import { CategoryNames, ProjectSettings } from '../schemas/project.ts';
import { freeText, Id, MemoryText, nameText, uuid } from '../schemas/text.ts';
import { archiveVersion } from './archive-version.ts';

/** ISO 8601 with any offset, converted to UTC; without an offset it is UTC. */
const ArchiveTime = z.iso
  .datetime({ offset: true, local: true, error: 'must be a time: 2026-01-31T12:00:00Z' })
  .overwrite(toUtc)
  .refine((time) => /^\d{4}-/.test(time), 'must be in the years 0000 to 9999');

function toUtc(text: string): string {
  const time = new Date(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

const entityIdSchemas = {
  user_id: EntityId.nullable().default(null),
  agent_id: EntityId.nullable().default(null),
  app_id: EntityId.nullable().default(null),
  run_id: EntityId.nullable().default(null),
};

const Categories = CategoryNames.default([]);

const ArchiveText = freeText(limits.memory_text_max_chars).nullable().default(null);

const ArchiveEntityName = nameText(limits.relation_max_chars);

/** One relation of the line's memory. */
const ArchiveRelation = z.object({
  source: ArchiveEntityName,
  source_type: ArchiveEntityName,
  relationship: ArchiveEntityName,
  target: ArchiveEntityName,
  target_type: ArchiveEntityName,
});

const memoryFields = {
  id: uuid('id'),
  memory: MemoryText,
  ...entityIdSchemas,
  metadata: ArchivedMetadata.default({}),
  categories: Categories,
  immutable: z.boolean().default(false),
  expiration_date: z.iso.date().nullable().default(null),
  created_at: ArchiveTime,
  updated_at: ArchiveTime,
  replaced_by: uuid('replaced_by').nullable().default(null),
  role: nameText(limits.role_max_chars).nullable().default(null),
  speaker: nameText(limits.id_max_chars).nullable().default(null),
  type: z.enum(memoryTypes).nullable().default(null),
  slot: nameText(limits.slot_max_chars).nullable().default(null),
  occurred_at: ArchiveTime.nullable().default(null),
  occurred_granularity: z.enum(granularities).nullable().default(null),
  said: ArchiveText,
  status: z.enum(memoryStatuses).default('active'),
  /** Exports of other programs and of older versions do not state it. */
  source_class: z.enum(sourceClasses).optional(),
  review_reason: z.enum(reviewReasons).nullable().default(null),
  supersedes: uuid('supersedes').nullable().default(null),
  may_replace: z.array(uuid('may_replace')).max(limits.may_replace_max).default([]),
  pinned: z.boolean().default(false),
  valid_from: ArchiveTime.nullable().default(null),
  valid_until: ArchiveTime.nullable().default(null),
};

type OwnedLine = Readonly<Record<(typeof entityIdFields)[number], string | null>>;

function checkOwner(memory: OwnedLine, ctx: z.RefinementCtx): void {
  if (entityIdFields.some((field) => memory[field] !== null)) return;
  const message = `at least one of ${entityIdFields.join(', ')} is required`;
  ctx.addIssue({ code: 'custom', path: ['user_id'], message });
}

const MemoryLine = z
  .object({
    ...memoryFields,
    /** When the store began to hold it as it is. */
    recorded_from: ArchiveTime.optional(),
    relations: z.array(ArchiveRelation).max(limits.relations_max).default([]),
  })
  .superRefine(checkOwner)
  .superRefine(checkValidity);

/** A memory as the store held it earlier, under its id. */
const VersionLine = z
  .object({
    ...memoryFields,
    recorded_from: ArchiveTime,
    recorded_until: ArchiveTime,
    superseded_at: ArchiveTime.nullable().default(null),
    superseded_in_part: z.boolean().default(false),
  })
  .superRefine(checkOwner)
  .superRefine(checkValidity)
  .refine(({ recorded_from, recorded_until }) => recorded_from <= recorded_until, {
    path: ['recorded_until'],
    message: 'must not be before recorded_from',
  });

/** The lines of an exported project, one JSON object each, by `kind`. */
export const archiveLines = {
  project: z.object({
    org_id: Id,
    project_id: Id,
    name: DisplayName,
    description: Description.default(''),
    settings: ProjectSettings.partial().default({}),
    updated_at: ArchiveTime,
  }),
  entity: z.object({
    type: z.enum(entityTypes),
    id: EntityId,
    name: DisplayName,
    metadata: ArchivedMetadata.default({}),
    created_at: ArchiveTime,
    updated_at: ArchiveTime,
  }),
  memory: MemoryLine,
  version: VersionLine,
  history: z.object({
    id: uuid('id'),
    memory_id: uuid('memory_id'),
    event: z.enum(changeTypes),
    input: z.array(Message).max(limits.messages_max).default([]),
    old_memory: ArchiveText,
    new_memory: ArchiveText,
    ...entityIdSchemas,
    metadata: ArchivedMetadata.nullable().default(null),
    categories: Categories,
    created_at: ArchiveTime,
    updated_at: ArchiveTime,
  }),
  feedback: z.object({
    id: uuid('id'),
    memory_id: uuid('memory_id'),
    feedback: z.enum(feedbackValues).nullable().default(null),
    feedback_reason: FeedbackReason.nullable().default(null),
    created_at: ArchiveTime,
  }),
  /** The last line; without it, the file is incomplete. */
  end: z.object({}),
};

export type ArchiveKind = keyof typeof archiveLines;
export type ArchiveLineOf<K extends ArchiveKind> = { kind: K } & z.output<(typeof archiveLines)[K]>;
/** One parsed line. */
export type ArchiveLine = { [K in ArchiveKind]: ArchiveLineOf<K> }[ArchiveKind];

/** Parses one line after the header. Throws `invalid` that names every wrong field. */
export function parseArchiveLine(value: unknown): ArchiveLine {
  if (!isObject(value)) throw new ApiError('invalid', 'must be a JSON object');
  const { kind, ...fields } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(archiveLines, kind)) {
    const kinds = Object.keys(archiveLines).join(', ');
    throw new ApiError('invalid', `kind: must be one of ${kinds}`);
  }
  const input = archiveLines[kind as ArchiveKind];
  // parseInput used the schema of this kind.
  return { kind, ...parseInput<z.ZodObject>({ input }, fields) } as ArchiveLine;
}

const ArchiveHeader = z.object({ mneme: z.literal('export'), version: z.int().min(1) });

/** Checks the first line of a file. Throws `invalid` if this version can't read the file. */
export function checkArchiveHeader(value: unknown): void {
  const { success, data } = ArchiveHeader.safeParse(value);
  if (!success) {
    const expected = `{"mneme": "export", "version": ${archiveVersion}}`;
    throw new ApiError('invalid', `is not the header of an export; expected ${expected}`);
  }
  if (data.version <= archiveVersion) return;
  throw new ApiError(
    'invalid',
    `was written by a newer mneme (version ${data.version} of the format; ` +
      `this one reads up to ${archiveVersion}): update mneme`,
  );
}
