import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const store =
  '(?:salv|ricord|memorizz|registr|annot|conserv|segn|archivi|scriv|tener)(?:ar|er)?(?:e|arlo|erlo|lo|la|tel[oa]|arti|i|are|ere)?';
const this_ =
  '(?:questo|questa cosa|quest[ei]|(?:ciò|quello)(?! che)|quanto segue|niente di (?:questo|quello che \\S{1,15}(?: \\S{1,15}){0,3}|tutto questo)|tutto (?:questo|ciò)|(?:quello|ciò) che \\S{1,15}(?: \\S{1,15}){0,5}|questa (?:conversazione|informazione|frase)|questo messaggio)';
const where =
  '(?:,? (?:per favore|per piacere|in memoria|nella (?:tua )?memoria|da nessuna parte))';

export const italianUnrecorded: UnrecordedWords = unrecordedWords({
  hint: 'non |(?:tra|fra) |off the record|confidenziale|per te|dimentica|cancella|elimina|scordatel',
  storing:
    'salv|ricord|memorizz|registr|annot|conserv|segn|archivi|scriv|tene|metter|inserir|tra |fra |confidenziale|per te|dimentica|cancella|elimina|scordatel',
  polite:
    'per favore|per piacere|ti prego|ma|però|ora|adesso|tra noi|detto tra noi|ok|preferirei che|vorrei che|ti chiedo di|puoi',
  joints: 'ma|però|e|quindi',
  asked: [
    `non (?:lo |la |ti |devi |dovete |voglio che tu |serve che tu |mi ){0,2}${store}(?: (?:mai|nulla))?(?: ${this_})?${where}{0,2}`,
    `non (?:mettere|inserire) ${this_}${where}{1,2}`,
    `${this_},? (?:non (?:lo |la |va |devi |deve essere |si deve |è da ){0,2}${store}(?:ato|ata|to)?)${where}{0,2}`,
    '(?:che )?(?:questo|questa cosa|ciò|quello che ti dico)?(?: deve)? ?(?:resta|rimane|resti|rimanga|restare|rimanere)(?: solo)? (?:tra|fra) (?:noi|me e te)(?: due)?',
    '(?:questo è )?(?:off the record|confidenziale|in via confidenziale)',
    'tienilo per te|tieni questo per te',
    'dimentica(?:ti)? (?:quanto segue|(?:quello|ciò) che (?:sto per (?:dire|dirti)|ti (?:dirò|dico)(?: ora)?|ho (?:appena )?(?:detto|scritto)|ti ho (?:appena )?(?:detto|raccontato)))',
  ],
  pointed:
    "(?:puoi )?(?:dimentica|cancella|elimina)(?:re)? (?:questo|quello|ciò)(?: dalla (?:tua )?memoria)?|(?:dimentical|cancellal|eliminal|scordatel)o|dimentica(?:ti)? che (?:l[’']ho detto|te l[’']ho detto)",
  just: 'appena',
  corrected: 'ora|adesso|in realtà|invece|non più',
  excused: 'imbarazzante|vergogn\\p{L}{1,4}|privato|segreto|confidenziale|nessuno',
  stated: 'che|io',
  next: 'segue|sto per|dico|dirò|off the record',
  back: 'quello|lo|detto|scritto|appena',
  all: 'niente|nulla|tutto|conversazione|messaggio',
  announced: '(?:dir|raccontar|confidar|confessar)(?:ti|e)? (?:una cosa|qualcosa|un segreto)',
  blamed:
    'non (?:avresti|avreste) (?:mai )?dovuto (?:salvar|memorizzar|registrar|annotar|ricordar|conservar)(?:e|lo|la)|perché hai (?:salvato|memorizzato|annotato|registrato)',
});
