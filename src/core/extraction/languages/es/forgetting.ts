import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { spanishFamily } from './family.ts';

const keep = '(?:guard|conserv|recuerd|record|almacen|memoric)(?:e[sn]?|éis|ar|aras?|ases?)';
const mine = '((?:mi|mis|nuestr[oa]s?)(?: [^\\s,.]{1,30}){1,4}?)';

export const spanishForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'quiero que|quisiera que|me gustaría que|por favor|puedes|podrías',
    forget: 'olvid(?:a|e|es|ar|ate)|(?:borr|elimin)(?:a|e|ar) (?:que|lo de (?:mis?|nuestr\\p{L}+))',
    delete: 'borr(?:a|e|ar)|elimin(?:a|e|ar)',
    remembered: 'sabes|memorias?|recuerdos?|dije|conté',
    never:
      '(?<!\\p{L})no(?!\\p{L})[^.]{0,20}olvid' +
      '|^(?:por favor,? )?no (?:guard|conserv|almacen)(?:e[sn]?|éis) (?:mis?|nuestr[oa]s?) ' +
      '|(?<!\\p{L})(?:quiero|quisiera|querría|necesito|prefiero|preferiría|me gustaría|intento|ojalá pudiera|deseo|trato de|queremos)' +
      '(?: (?!que |te |pedir)\\p{L}{1,10}){0,2} olvidar(?:l[oae]s?|me)?(?!\\p{L})',
    sparing:
      '(?<!\\p{L})(?:no|nunca|jamás|siempre|deja de)(?!\\p{L})[^.,;]{0,30}(?:olvid|borr|elimin)|' +
      '(?<!\\p{L})(?:excepto|salvo|aparte de|tod[oa]s? (?:\\p{L}{1,12} ){0,3}menos|por ahora)(?!\\p{L})|' +
      '^(?:olvida|borra|elimina)(?!\\p{L})[^?]{0,80}\\?$|^si ',
    keepNot:
      `(?:por favor,? )?(?:(?:(?:preferiría|prefiero|me gustaría|quisiera|quiero|te agradecería) que no|no quiero que) ${keep} ${mine}|` +
      `no (?:recuerd|memoric)(?:e[sn]?|éis) ${mine}|no ${keep} ${mine} en (?:tu |la )?memoria)`,
    pointing:
      '(?:así que |y |ya ){0,2}(?:(?:puedes|podrías) (?:ya )?(?:olvidar|borrar|eliminar)(?:l[oa]| eso| esto)|(?:eso|esto) (?:ya )?(?:lo )?puedes (?:olvidar|borrar)(?:lo)?|' +
      'olvida (?:eso|esto)|(?:olvíd|bórr)al[oa])(?: ya| por favor| porfa){0,2}',
  }),
  kin:
    `${spanishFamily}s?|padres|amig[oa]s?|compañer[oa]|suegr[oa]s?|niet[oa]s?|cuñad[oa]s?|` +
    '(?:niñ|chic|suegr)[oa]s?',
  naming: { called: 'se llama', is: 'es' },
  user: 'usuari[oa]',
  words: {
    verbs: `olvides borres elimines olvida olvide olvidar olvidate olvídate borra borre borrar
      elimina elimine eliminar`,
    nouns: `todo dije sabes sepas conté hablé cosa cosas nota notas recuerdo recuerdos memoria
      información dato datos hecho acerca`,
    polite: 'favor gracias puedes podrías porfa quiero quisiera gustaría',
    free: 'guardes guardar quita',
    determiners: 'mi mis nuestro nuestra el la los las un una unos unas ese esa este esta',
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
