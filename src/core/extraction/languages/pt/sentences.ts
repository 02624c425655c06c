import type { SentenceWords } from '../rules.ts';

export const portugueseSentences: SentenceWords = {
  speaker: 'eu|meu|minha',
  joints: 'e|mas',
  conjunctions: 'e|mas|então|porém|já que',
  relatives: 'que',
  people: 'ele|ela|eles|elas',
  things: 'isso',
  unnamed: [
    /^(?:vem|chega|começa|termina|acaba|abre|fecha|custa|dura) (?:(?:na |no )?(?:segunda|terça|quarta|quinta|sexta|sábado|domingo|próxim|dia)|às|amanhã|hoje|\p{N})/iu,
    /^(?:fazemos|faço|vamos|vou|usamos) (?:\S+ ){1,4}(?:em vez disso|no lugar)[.!]*$/iu,
    /^(?:sim|não|ok|tá|está bem),? mas (?:sem|com|não|nada de|só|menos|mais)(?!\p{L})/iu,
  ],
  joining: 'e|ou|que',
  possessives: 'seu|sua|meu|minha',
  role: 'como',
  places: 'para|em|na|no|a',
  textTasks: 'traduz|resum|reescrev|parafras',
  abbreviations: 'dr|dra|sr|sra|av|tel',
};
