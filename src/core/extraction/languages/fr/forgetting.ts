import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { frenchFamily } from './family.ts';

export const frenchForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: "s[’']il te plaît|peux-tu|pourrais-tu|tu peux",
    forget: "oublie[zr]?|(?:supprime|efface)[zr]?(?: de ta mémoire)? (?:que|qu['’]\\p{L}+)",
    delete: 'supprime[zr]?|efface[zr]?',
    remembered: 'mémoire|souvenirs?|dit|raconté',
    never:
      '(?<!\\p{L})pas(?!\\p{L})[^.]{0,20}oubli|' +
      '(?<!\\p{L})oublie\\p{L}{0,20} (?:[^.]{1,30} )?pas(?!\\p{L})',
  }),
  kin:
    `${frenchFamily}s?|épou(?:x|se)|s(?:œ|oe)urs?|parents|mamie|papi|` +
    'amie?s?|collègues?|cheffe|voisins?|enfants?|beau-\\p{L}+|belle-\\p{L}+|chiens?',
  user: 'utilisat(?:eur|rice)',
  words: {
    verbs: 'oublie oubliez oublier supprime supprimez supprimer efface effacez effacer',
    nouns: `tout dit raconté parlé écrit chose choses note notes souvenir souvenirs mémoire
      information informations fait histoire concernant propos`,
    polite: 'stp svp plait merci peux pourrais peut peux-tu',
    free: 'guardes garder garde enlève retire',
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
