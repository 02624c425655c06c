import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const store =
  '(?:guard|salv|grav|memoriz|anot|registr|armazen|lembr|apont|record)(?:es?|ar|a|em|á-lo|e-o)';
const this_ =
  '(?:isto|isso|o seguinte|o que (?:segue|vem)|nada d(?:isto|isso|o que \\S{1,15}(?: \\S{1,15}){0,3})|tudo (?:isto|isso)|o que \\S{1,15}(?: \\S{1,15}){0,5}|esta (?:conversa|informação|frase)|essa (?:conversa|informação)|esta mensagem)';
const where = '(?:,? (?:por favor|na (?:tua |sua )?memória|em lado nenhum|em lugar nenhum))';

export const portugueseUnrecorded: UnrecordedWords = unrecordedWords({
  hint: 'não |entre |off the record|em off|confidencial|para |esque|apag|elimin',
  storing:
    'guard|salv|grav|memoriz|anot|registr|armazen|lembr|apont|record|ponha|coloque|entre |em off|confidencial|esque|apag|elimin',
  polite:
    'por favor|mas|agora|olha|aqui entre nós|entre nós|ok|prefiro que|quero que|peço que|peço-te que|pode|podes',
  joints: 'mas|e|então',
  asked: [
    `não (?:o |a |te |se |deves |deve |quero que |precisa |precisas ){0,2}${store}(?: (?:d)?${this_})?${where}{0,2}`,
    `não (?:ponhas?|coloques?|coloque) ${this_}${where}{1,2}`,
    `${this_},? (?:não (?:o |a |se |deves |deve ser |pode ser |podes |é para |precisa ser ){0,2}${store}(?:ado|do|d[oa])?)${where}{0,2}`,
    '(?:que )?(?:isto|isso|o que (?:te|lhe) digo)?(?: tem de| deve)? ?(?:fica|fique|ficar)(?: só)? entre (?:nós|mim e ti|eu e você|nós dois)',
    '(?:isto é )?(?:off the record|em off|confidencial)',
    '(?:guarda|guarde) (?:isto|isso) (?:só )?para (?:ti|você|si)',
    'esque(?:ce|ça) (?:o seguinte|o que (?:segue|(?:eu )?vou (?:dizer|contar)(?:-te|-lhe)?|(?:eu )?acabei de (?:dizer|contar|escrever)|(?:eu )?(?:te |lhe )?(?:disse|contei)))',
  ],
  pointed:
    '(?:(?:você )?pode(?:s)? )?(?:esque(?:ce|ça|cer)|apag(?:a|ue|ar)|elimin(?:a|e|ar)) (?:isso|isto)(?: da (?:tua |sua )?memória)?|esque(?:ce|ça) que (?:eu )?(?:disse|contei|falei)(?: (?:isso|isto))?',
  just: 'acabei de',
  corrected: 'agora|na verdade|já não|não mais',
  excused: 'vergonh\\p{L}{1,4}|constrangedor|privado|segredo|confidencial|ninguém',
  stated: 'que|eu',
  next: 'seguinte|segue|vem|vou|digo|off the record',
  back: 'isso|o|acabei|disse|contei',
  all: 'nada|tudo|conversa|mensagem',
  announced: '(?:dizer|contar|confessar)(?:-te|-lhe)? (?:uma coisa|algo|um segredo)',
  blamed:
    '(?:não|nunca) (?:o |a )?(?:devias|deveria|deverias|devia) (?:nunca )?ter (?:guardado|salvo|salvado|anotado|registrado|registado|memorizado|gravado)|por que (?:você )?(?:guardou|salvou|anotou)',
});
