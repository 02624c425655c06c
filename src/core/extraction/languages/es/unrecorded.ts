import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const store =
  '(?:guard|recuerd|record|anot|memori[cz]|registr|apunt|almacen|conserv|grab)(?:es?|éis|en|ar|as|e|ues|u?es)';
const this_ =
  '(?:esto|eso|ello|lo siguiente|lo que (?:sigue|viene)|nada de (?:esto|eso|lo que \\S{1,15}(?: \\S{1,15}){0,3})|todo (?:esto|eso)|lo que \\S{1,15}(?: \\S{1,15}){0,5}|esta (?:conversación|información|frase)|este mensaje)';
const where = '(?:,? (?:por favor|porfa|en (?:tu|la) memoria|en ningún sitio|en ninguna parte))';

export const spanishUnrecorded: UnrecordedWords = unrecordedWords({
  hint: 'no |entre |off the record|extraoficial|confidencial|para ti|olv[ií]d|b[oó]rr|elim[ií]n',
  storing:
    'guard|rec(?:ue|o)rd|anot|memori|registr|apunt|almacen|conserv|grab|pong|entre|extraoficial|confidencial|olv[ií]d|b[oó]rr|elim[ií]n',
  polite:
    'por favor|porfa|pero|ahora|oye|entre (?:tú y yo|nosotros)|ok|vale|prefiero que|quiero que|te pido que|puedes',
  joints: 'pero|y|así que|pues',
  asked: [
    `no (?:lo |la |los |te |me |debes |quiero que |hace falta que |tienes que ){0,2}${store}(?:lo)?(?: ${this_})?${where}{0,2}`,
    `no pongas ${this_}${where}{1,2}`,
    `${this_},? (?:no (?:lo |la |se )?(?:debes |puedes |hay que |tienes que )?${store}(?:lo)?|no (?:se )?(?:debe|puede) ${store}(?:se)?|no es para (?:guardar|anotar|recordar))${where}{0,2}`,
    '(?:que )?(?:esto|eso|lo que te (?:digo|cuento))?(?: ?se)? ?(?:queda|quede|quedará)(?: solo)? entre (?:nosotros|tú y yo|nosotras)',
    '(?:esto es )?(?:off the record|extraoficial|confidencial)',
    'guárdate(?:lo| esto) para ti',
    'olvida(?:te de)? (?:lo siguiente|lo que (?:sigue|te voy a (?:decir|contar)|voy a decir(?:te)?|acabo de (?:decir|contar|escribir)(?:te)?|(?:te )?(?:he dicho|dije|acabo de \\S{1,12})))',
  ],
  pointed:
    '(?:puedes )?(?:olvid|borr|elimin)(?:a|e|ar|es) (?:eso|esto)(?: de tu memoria)?|(?:olvídal|bórral|elimínal)o|olvida que (?:lo dije|lo mencioné|te lo (?:dije|he dicho|conté))',
  just: 'acabo de',
  corrected: 'ahora|en realidad|ya no|sino',
  excused: 'vergüenza|privado|secreto|confidencial|nadie',
  stated: 'que|yo',
  next: 'siguiente|sigue|viene|voy|digo|off the record',
  back: 'eso|lo|acabo|dicho|dije',
  all: 'nada|todo|conversación|mensaje',
  announced: '(?:decir|contar|confesar)(?:te|le)? (?:algo|un secreto|una cosa)',
  blamed:
    'no (?:lo |la )?(?:deberías|debiste|tenías que|debías) (?:haber )?(?:guardad|anotad|registrad|recordad|memorizad|guarda|anota|registra)(?:o|r)|nunca (?:lo |la )?(?:deberías|debiste) (?:haber )?(?:guardad|anotad|registrad|recordad|memorizad|guarda|anota|registra)(?:o|r)|por qué (?:has )?(?:guardaste|guardado|anotaste|anotado)',
});
