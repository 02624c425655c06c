import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { italianFamily } from './family.ts';

export const italianForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'per favore|puoi|potresti',
    forget: 'dimentic(?:a|are|hi)|scorda(?:re|ti)?|(?:cancell|elimin)(?:a|are|i) che',
    delete: 'elimin(?:a|are)|cancell(?:a|are|i)',
    remembered: 'ricordi?|detto|raccontato|memoria',
    never: '(?<!\\p{L})non?(?!\\p{L})[^.]{0,20}(?:dimentic|scord)',
  }),
  kin:
    `${italianFamily}|figli|fratelli|sorelle|nonn[ie]|cugin[ie]|amic[ie]|amiche|collegh[ie]|` +
    'ragazz[oa]|suocer[oa]|cognat[oa]|genitori',
  user: 'utente',
  words: {
    verbs: `dimentica dimenticare dimentichi dimenticati scorda scordati cancella cancellare
      cancelli elimina eliminare elimini`,
    nouns: `tutto detto raccontato parlato cosa cose nota note ricordo ricordi memoria informazione
      informazioni fatto riguardo`,
    polite: 'favore grazie puoi potresti pure vorrei',
    free: 'conservare togli',
    that: 'che',
    elided: '[cdlmnst]|un|dell|all|nell|sull|dall|quell|quest',
    all: 'tutto',
    kinds: {
      job: 'lavoro mestiere',
      lives_in: 'abito',
      age: 'età',
      name: 'nome',
      diet: 'dieta',
      allergic_to: 'allergia',
    },
  },
  signs: null,
};
