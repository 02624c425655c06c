import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { italianFamily } from './family.ts';

const keep = '(?:(?:conserv|ricord|memorizz|salv)(?:are|i|assi|iate)|ten(?:ere|ga|essi))';
const mine = '((?:(?:il|la|i|le) )?(?:mi[oae]|miei|nostr[oaei])(?: [^\\s,.]{1,30}){1,4}?)';

export const italianForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: '(?:voglio|vorrei) che tu|per favore|puoi|potresti',
    forget: 'dimentic(?:a|are|hi)|scorda(?:re|ti)?|(?:cancell|elimin)(?:a|are|i) che',
    delete: 'elimin(?:a|are)|cancell(?:a|are|i)',
    remembered: 'sai|sapete|ricordi?|detto|raccontato|memoria',
    never:
      '(?<!\\p{L})non?(?!\\p{L})[^.]{0,20}(?:dimentic|scord)' +
      '|^(?:per favore,? )?non (?:conserv|salv|archivi|ten)(?:are|ere|iate|i) (?:(?:il|la|i|le) )?(?:mi[oae]|miei|nostr[oaei]) ' +
      '|(?<!\\p{L})(?:voglio|vorrei|devo|preferisco|preferirei|mi piacerebbe|desidero|cerco di|vogliamo)' +
      '(?: (?!che |ti |chiedert)\\p{L}{1,10}){0,2} (?:dimenticar|scordar)(?:e|mi|l[oaie])(?!\\p{L})',
    sparing:
      '(?<!\\p{L})(?:non|mai|sempre|smetti di)(?!\\p{L})[^.,;]{0,30}(?:dimentic|scord|cancell|elimin)|' +
      '(?<!\\p{L})(?:tranne|eccetto|salvo|a parte|fuorché|per ora)(?!\\p{L})|' +
      '^(?:dimentica|cancella|elimina)(?!\\p{L})[^?]{0,80}\\?$|^se ',
    keepNot:
      '(?:(?:preferirei|preferisco|vorrei|mi piacerebbe) che (?:tu )?non|non voglio che(?: tu)?) ' +
      `${keep} ${mine}|(?:per favore,? )?non (?:(?:ricord|memorizz)(?:are|i|iate) ${mine}|${keep} ${mine} (?:in|nella tua) memoria)`,
    pointing:
      '(?:quindi |e |pure ){0,2}(?:puoi (?:pure )?(?:dimenticar|cancellar|eliminar|scordar)(?:l[oa]|e (?:questo|quello|ciò))|' +
      '(?:dimentical|cancellal|scordatel)[oa]|(?:dimentica|cancella) (?:questo|quello|ciò))(?: pure| grazie){0,2}',
  }),
  kin:
    `${italianFamily}|figli|fratelli|sorelle|nonn[ie]|cugin[ie]|amic[ie]|amiche|collegh[ie]|` +
    'ragazz[oa]|suocer[oa]|cognat[oa]|genitori',
  naming: { called: 'si chiama', is: 'è' },
  user: 'utente',
  words: {
    verbs: `dimentica dimenticare dimentichi dimenticati scorda scordati cancella cancellare
      cancelli elimina eliminare elimini`,
    nouns: `tutto detto sai sapete raccontato parlato cosa cose nota note ricordo ricordi
      memoria informazione informazioni fatto riguardo`,
    polite: 'favore grazie puoi potresti pure vorrei voglio',
    free: 'conservare togli',
    determiners: `mio mia miei mie nostro nostra il lo la i gli le un uno una quel quella questo
      questa`,
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
