import { type AskingWords, askingWords } from '../asking-words.ts';

export const spanishAsking: AskingWords = askingWords({
  polite: 'por favor|porfa|y|o|pero|entonces|ahora|pues|vale|ok|mejor',
  tasks: [
    '(?:dime|muéstrame|dame|envíame|explícame|ayúdame|cuéntame|recomiéndame|enséñame|hazme|ponme|escríbeme|resúmeme|tradúce(?:me|lo)|búscame|propónme|sugiéreme|háblame|pásame)',
    '(?:escribe|redacta|traduce|resume|compara|busca|encuentra|crea|haz|genera|quita|pon|añade|cambia|corrige|acorta|borra|elimina|sustituye|revisa|calcula|lista|sigue|continúa|mete|saca|deja|reformula|inventa|explica|elige|repite)(?: me)? (?:una?|el|la|los|las|lo|esto|este|esta|eso|ese|esa|unos|unas|más|menos|solo|otro|otra|["“«\']|dos|tres)',
    'traduce al?',
  ],
  lasting: 'siempre|nunca|a partir de ahora|de ahora en adelante|en adelante|cada vez|mis?',
  quoting:
    '(?<!\\p{L})(?:escrib(?:ió|e)|dijo|dice|respondió|traduce|corrige|resume|letra|carta|correo|poema|historia|personaje|redacción|cita)(?!\\p{L})',
  supposing:
    'supong(?:amos|o que)|imagin(?:a|emos|ate|émonos)|imagínate|pongamos que|digamos que|y si (?:yo )?',
  play: '(?:imagina|finge|haz como|jugu?emos|juego de rol)[^.!?]{1,80}(?:yo soy|yo seré|y yo|soy) (?:una?|el|la|tu)',
  conditional: {
    condition:
      'si (?:yo )?(?:fuera|fuese|tuviera(?! que)|tuviese(?! que)|viviera|viviese|pudiera|ganara|trabajara)',
    consequence: '\\p{L}{1,30}ría',
    fact: 'pero|porque|aunque',
  },
});
