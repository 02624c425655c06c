import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { EntityTypeField, projectScope } from '../schemas/entity.ts';
import { Event, eventStatuses, eventTypes } from '../schemas/event.ts';
import { PageNumber, pageSchema } from '../schemas/page.ts';
import { numeric } from '../schemas/query-values.ts';
import { recordId } from '../schemas/record-id.ts';
import { Id } from '../schemas/text.ts';

const EventTypeField = z.enum(eventTypes, { error: `must be one of ${eventTypes.join(', ')}` });

const ListEventsInput = z
  .object({
    event_type: EventTypeField.optional().describe('Type of event'),
    except_event_type: EventTypeField.optional().describe('Event types to leave out'),
    status: z
      .enum(eventStatuses, { error: `must be one of ${eventStatuses.join(', ')}` })
      .optional()
      .describe('Status'),
    entity_type: EntityTypeField.optional(),
    entity_id: Id.optional().describe('Limit to this user, agent, app or run'),
    page: PageNumber.default(1),
    page_size: numeric(z.int().min(1).max(limits.events_page_size_max))
      .default(limits.events_page_size_default)
      .describe(`Default ${limits.events_page_size_default}`),
    ...projectScope,
  })
  .superRefine(({ entity_type, entity_id }, ctx) => {
    if ((entity_type === undefined) === (entity_id === undefined)) return;
    const path = [entity_type === undefined ? 'entity_type' : 'entity_id'];
    const message = 'send both entity_type and entity_id, or neither';
    ctx.addIssue({ code: 'custom', path, message });
  });

export const events = {
  list_events: operation({
    summary: 'List events',
    description: 'Lists the processing records of writes, newest first.',
    scope: 'events:read',
    routes: [{ method: 'GET', path: '/v1/events/', carries: 'query' }],
    status: 200,
    input: ListEventsInput,
    output: pageSchema(Event),
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'List events',
      description: 'List processing records of writes, newest first.',
      toolsets: ['events'],
      destructive: false,
      idempotent: true,
      fields: ['event_type', 'status', 'page', 'page_size', 'project_id'],
      formats: true,
    },
  }),

  get_event: operation({
    summary: 'Get an event',
    description: 'Returns the state and the results of one write.',
    scope: 'events:read',
    routes: [
      { method: 'GET', path: '/v1/event/{event_id}/', carries: 'query' },
      { method: 'GET', path: '/v1/events/{event_id}/', carries: 'query' },
    ],
    status: 200,
    input: z.object({
      event_id: recordId('event', 'event_id').describe('Event id'),
      ...projectScope,
    }),
    output: Event,
    errors: ['invalid', 'not_found'],
    errorBodyKey: 'detail',
    tool: {
      title: 'Get event',
      description: 'Check whether a PENDING add is done, and what it stored.',
      toolsets: ['events'],
      destructive: false,
      idempotent: true,
      fields: ['event_id', 'project_id'],
      aliases: ['get_event_status'],
    },
  }),
};
