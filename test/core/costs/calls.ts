import type { OperationName } from '../../../src/contract.ts';
import type { Input, MeasuredApp } from './measured-app.ts';
import { user_id } from './measured-app.ts';

/** A call of which each one is about something else, and how many of them are made. */
export type MeasuredCall = {
  operation: OperationName;
  /** What the calls of one operation differ in. */
  what?: string;
  times: number;
  input(at: number, app: MeasuredApp): Input | Promise<Input>;
};

/** So many that the bytes of a call are an average: a store grows by pages. */
const many = 50;
const some = 5;
const few = 3;

/** The ones that delete come last, as what the others read must be there. */
export const measuredCalls: readonly MeasuredCall[] = [
  {
    operation: 'search_memories',
    what: 'two words',
    times: many,
    input: (at, { sentences }) => ({ query: sentences[at]?.phrase, user_id }),
  },
  {
    operation: 'search_memories',
    what: 'a question',
    times: many,
    input: (at, { sentences }) => ({ query: sentences[at]?.question, user_id }),
  },
  {
    operation: 'get_context',
    what: 'for a question',
    times: some,
    input: (at, { sentences }) => ({ query: sentences[at]?.question, user_id }),
  },
  { operation: 'get_context', what: 'of the newest', times: some, input: () => ({ user_id }) },
  {
    operation: 'get_memory',
    times: many,
    input: (at, { ids }) => ({ memory_id: ids[at % ids.length] }),
  },
  {
    operation: 'get_memories',
    what: 'a page of 100',
    times: some,
    input: () => ({ user_id, page_size: 100 }),
  },
  {
    operation: 'get_memories',
    what: 'the second page of 50',
    times: some,
    input: () => ({ user_id, page_size: 50, page: 2 }),
  },
  {
    operation: 'add_memory',
    what: 'a text as it is',
    times: many,
    input: (at, { sentences }) => ({ text: sentences.at(-1 - at)?.text, user_id }),
  },
  {
    operation: 'add_memory',
    what: 'a text, compared with others',
    times: many,
    input: (at, { sentences }) => ({
      text: sentences.at(-1 - at)?.question,
      user_id,
      find_similar: true,
    }),
  },
  {
    operation: 'add_memory',
    what: 'messages, by rules',
    times: many,
    input: (at) => ({ messages: [said(at)], user_id, async_mode: false }),
  },
  {
    operation: 'add_memory',
    what: 'messages, later',
    times: some,
    input: (at) => ({ messages: [said(100 + at)], user_id }),
  },
  {
    operation: 'add_memory',
    what: 'messages that update one, by rules',
    times: some,
    input: (at) => ({ messages: [livesIn(at)], user_id, async_mode: false }),
  },
  {
    operation: 'add_memory',
    what: 'a text that may contradict others',
    times: some,
    input: (at) => ({ text: isOver(at), user_id, find_similar: true }),
  },
  {
    operation: 'search_memories',
    what: 'where they may contradict each other',
    times: some,
    input: (at) => ({ query: said(at).content, user_id }),
  },
  {
    operation: 'get_memories',
    what: 'a page where they may contradict others',
    times: some,
    input: () => ({ user_id, page_size: 10 }),
  },
  ...(['list_history', 'get_profile', 'list_relations', 'get_filter_values'] as const).map(
    (operation): MeasuredCall => ({ operation, times: some, input: () => inputs[operation] }),
  ),
  ...(['list_entities', 'get_stats', 'list_reviews', 'list_recalls', 'list_events'] as const).map(
    (operation): MeasuredCall => ({ operation, times: some, input: () => ({}) }),
  ),
  { operation: 'list_changes', times: some, input: () => ({ user_id, limit: 100 }) },
  {
    operation: 'diff_changes',
    times: some,
    input: () => ({ from: '2026-03-14T09:26:00Z', user_id, limit: 100 }),
  },
  {
    operation: 'add_feedback',
    times: some,
    input: (at, { ids }) => ({ memory_id: ids[at], feedback: 'POSITIVE' }),
  },
  {
    operation: 'update_memory',
    times: many,
    input: (at, { ids, sentences }) => ({
      memory_id: ids[at % ids.length],
      text: sentences.at(-200 - at)?.text,
    }),
  },
  {
    operation: 'batch_update_memories',
    what: '10',
    times: few,
    input: (at, { ids, sentences }) => ({
      memories: ids.slice(0, 10).map((memory_id, index) => ({
        memory_id,
        text: sentences.at(-400 - 10 * at - index)?.text,
      })),
    }),
  },
  ...(['get_history', 'get_versions'] as const).map(
    (operation): MeasuredCall => ({
      operation,
      what: 'after an update',
      times: some,
      input: (at, { ids }) => ({ memory_id: ids[at] }),
    }),
  ),
  {
    operation: 'delete_memory',
    times: some,
    input: (at, { ids }) => ({ memory_id: ids[20 + at] }),
  },
  {
    operation: 'undo_changes',
    what: 'of a delete',
    times: some,
    input: (at, { ids }) => ({ memory_id: ids[20 + at] }),
  },
  {
    operation: 'batch_delete_memories',
    what: '10',
    times: few,
    input: (at, { ids }) => ({ memory_ids: ids.slice(30 + 10 * at, 40 + 10 * at) }),
  },
  ...(['delete_all_memories', 'erase_memories', 'delete_entity'] as const).map(
    (operation): MeasuredCall => ({
      operation,
      what: 'a user of 100',
      times: few,
      input: async (_, app) => {
        const name = await app.fillAnother(100);
        return operation === 'delete_entity'
          ? { entity_type: 'user', entity_id: name }
          : { user_id: name };
      },
    }),
  ),
];

const inputs = {
  list_history: { user_id, page_size: 100 },
  get_profile: { entity_type: 'user', entity_id: user_id },
  list_relations: { user_id },
  get_filter_values: {},
};

/** A fact as the rules find it, which contradicts few others. */
function said(at: number) {
  const [city, thing] = [names[at % names.length], names[Math.floor(at / names.length)]];
  return { role: 'user', content: `My friend ${city}${at} dreams of ${thing}ville.` };
}

/** Of what was said before. */
function isOver(at: number) {
  return said(at).content.replace('dreams', 'no longer dreams');
}

/** Of what only one is true at a time. */
function livesIn(at: number) {
  return { role: 'user', content: `I live in ${names[at % names.length]}${at}ville now.` };
}

const names = ['Ada', 'Bea', 'Cleo', 'Dora', 'Emil', 'Finn', 'Gus', 'Hugo', 'Ines', 'Jana', 'Karl'];
