import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { frenchFamily } from './family.ts';

const keep = '(?:gard|conserv|mémoris|enregistr|retien|retenn)\\p{L}{1,4}';
const mine = '((?:mon|ma|mes|notre|nos)(?: [^\\s,.]{1,30}){1,4}?)';

export const frenchForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads:
      "je (?:veux|voudrais|souhaite) que (?:tu|vous)|j['’]aimerais que (?:tu|vous)|s[’']il te plaît|peux-tu|pourrais-tu|tu peux",
    forget: "oublie[zrs]?|(?:supprime|efface)[zr]?(?: de ta mémoire)? (?:que|qu['’]\\p{L}+)",
    delete: 'supprime[zr]?|efface[zr]?',
    remembered: 'tu sais|vous savez|mémoire|souvenirs?|dit|raconté',
    never:
      '(?<!\\p{L})pas(?!\\p{L})[^.]{0,20}oubli|' +
      '(?<!\\p{L})oublie\\p{L}{0,20} (?:[^.]{1,30} )?pas(?!\\p{L})' +
      "|^(?:ne |n['’])(?:gard|conserv|enregistr|sauvegard)\\p{L}{1,4} (?:pas|plus) (?:mon|ma|mes|notre|nos) " +
      "|(?<!\\p{L})(?:je |j['’]|nous )(?:veux|voudrais|aimerais|préfère|préférerais|dois|essaie|souhaite|voulons)" +
      "(?: (?!te |vous |tu )\\p{L}{1,10}){0,2} (?:[dlm]['’])?oublier(?!\\p{L})",
    sparing:
      '(?<!\\p{L})(?:pas|jamais|toujours|tout le temps|arrête|cesse)(?!\\p{L})[^.,;]{0,30}(?:oubli|effac|supprim)|' +
      "(?<!\\p{L})(?:oubli|effac|supprim)\\p{L}{0,4} (?:toujours|jamais|tout le temps)(?!\\p{L})|(?<!\\p{L})(?:sauf|excepté|hormis|à part|pour l['’]instant)(?!\\p{L})|" +
      "^(?:oublie|efface|supprime)(?!\\p{L})[^?]{0,80}\\?$|^s(?:i |['’]il)",
    keepNot:
      "(?:(?:je préférerais|j['’]aimerais(?: mieux)?|je voudrais|s['’]il te plaît),?(?: que (?:tu|vous))? ne |je ne (?:veux|souhaite|voudrais) pas que (?:tu |vous ))" +
      `${keep}(?: pas| plus)? ${mine}|ne (?:mémoris|retien|retenn)\\p{L}{1,4} (?:pas|plus) ${mine}|ne ${keep} (?:pas|plus) ${mine} (?:en|dans ta) mémoire`,
    pointing:
      "(?:donc |alors |et ){0,2}(?:(?:tu peux|vous pouvez) (?:l['’]oublier|(?:oublier|effacer|supprimer) (?:ça|cela))|" +
      'oublie(?:z|-le|-la|z-le| ça| cela| tout ça)|efface (?:ça|cela)|(?:efface|supprime)-l[ea])(?: stp| merci){0,2}',
  }),
  kin:
    `${frenchFamily}s?|épou(?:x|se)|s(?:œ|oe)urs?|parents|mamie|papi|` +
    'amie?s?|collègues?|cheffe|voisins?|enfants?|beau-\\p{L}+|belle-\\p{L}+|chiens?',
  naming: { called: "(?:s['’])?appelle", is: 'est' },
  user: 'utilisat(?:eur|rice)',
  words: {
    verbs: `oublie oubliez oublier oublies supprimes effaces supprime supprimez supprimer efface
      effacez effacer`,
    nouns: `tout dit raconté parlé écrit chose choses note notes souvenir souvenirs mémoire
      information informations fait sais sait savez histoire concernant propos`,
    polite: 'stp svp plait merci peux pourrais peut peux-tu veux voudrais aimerais',
    free: 'guardes garder garde enlève retire',
    determiners: 'mon ma mes notre nos le la les un une des ce cette',
    that: 'que',
    elided: '[cdjlmnst]|qu',
    all: 'tout toute',
    kinds: {
      job: 'travail métier emploi',
      lives_in: 'habite',
      name: 'nom prénom',
      diet: 'régime',
      allergic_to: 'allergie',
    },
  },
  signs: null,
};
