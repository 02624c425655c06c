import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { spanishFamily } from './family.ts';

export const spanishForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'por favor|puedes|podrías',
    forget: 'olvid(?:a|e|ar|ate)|(?:borr|elimin)(?:a|e|ar) (?:que|lo de (?:mis?|nuestr\\p{L}+))',
    delete: 'borr(?:a|e|ar)|elimin(?:a|e|ar)',
    remembered: 'memorias?|recuerdos?|dije|conté',
    never: '(?<!\\p{L})no(?!\\p{L})[^.]{0,20}olvid',
  }),
  kin:
    `${spanishFamily}s?|padres|amig[oa]s?|compañer[oa]|suegr[oa]s?|niet[oa]s?|cuñad[oa]s?|` +
    '(?:niñ|chic|suegr)[oa]s?',
  user: 'usuari[oa]',
  words: {
    verbs: 'olvida olvide olvidar olvidate olvídate borra borre borrar elimina elimine eliminar',
    nouns: `todo dije conté hablé cosa cosas nota notas recuerdo recuerdos memoria información dato
      datos hecho acerca`,
    polite: 'favor gracias puedes podrías porfa quiero',
    free: 'guardes guardar quita',
    that: 'que',
    all: 'todo todos',
    kinds: {
      job: 'trabajo empleo',
      lives_in: 'vivo',
      age: 'edad',
      name: 'nombre',
      diet: 'dieta',
      allergic_to: 'alergia',
    },
  },
  signs: null,
};
