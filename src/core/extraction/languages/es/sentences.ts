import type { SentenceWords } from '../rules.ts';

export const spanishSentences: SentenceWords = {
  speaker: 'yo|mis?|nuestr[oa]',
  joints: 'y|pero',
  conjunctions: 'y|pero|porque|ya que|aunque',
  relatives: 'que|quien|cuyo',
  people: 'él|ella|ellos|ellas',
  things: 'eso|esa|ese',
  pointing: /^(?:esa|ese) \p{L}{3}/iu,
  unnamed: [
    /^(?:viene|llega|empieza|comienza|termina|acaba|abre|cierra|cuesta|dura) (?:el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|día|próximo|\p{N})|a las|mañana|hoy|pasado mañana|la (?:semana|próxima)|en \p{N}|\p{N})/iu,
    /^(?:hacemos|hago|vamos|voy|cogemos|usamos) (?:\S+ ){1,4}(?:en su lugar|en vez de eso|mejor)[.!]*$/iu,
    /^(?:sí|no|vale|ok),? pero (?:sin|con|no|que no|nada de|solo|menos|más)(?!\p{L})/iu,
  ],
  joining: 'y|pero|que',
  possessives: 'sus?|mis?',
  role: 'como',
  places: 'para|en|a',
  textTasks: 'traduc|resum|correg|reescrib|parafras',
  abbreviations: 'dr|dra|sr|sra|srta|ud|uds|sta|av|avda|nro|tel|ing|lic',
};
