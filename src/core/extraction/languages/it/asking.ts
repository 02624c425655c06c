import { type AskingWords, askingWords } from '../asking-words.ts';

export const italianAsking: AskingWords = askingWords({
  polite: 'per favore|e|o|ma|allora|adesso|ora|poi|ok|dai|magari',
  tasks: [
    '(?:dimmi|mostrami|dammi|mandami|spiegami|aiutami|raccontami|consigliami|insegnami|fammi|scrivimi|riassumimi|traducimi|elencami|trovami|suggeriscimi|ripetimi|preparami)',
    '(?:scrivi|traduci|riassumi|confronta|cerca|trova|crea|fai|genera|togli|metti|aggiungi|cambia|correggi|accorcia|elimina|sostituisci|controlla|calcola|elenca|continua|lascia|riformula|inventa|spiega|scegli|ripeti)(?: mi)? (?:una?|uno|il|la|lo|i|gli|le|questo|questa|quello|quella|sto|sta|più|meno|solo|un altro|["“«\'’]|due|tre)',
    'traduci in',
  ],
  lasting: "sempre|mai|d['’]ora in poi|da ora in poi|in futuro|ogni volta|mi[oa]|miei|mie",
  quoting:
    '(?<!\\p{L})(?:ha (?:scritto|detto|risposto)|scrive|dice|traduci|correggi|riassumi|testo|lettera|e-?mail|poesia|storia|personaggio|tema|citazione)(?!\\p{L})',
  supposing:
    'supponiamo|immagina|immaginiamo|mettiamo che|poniamo che|facciamo (?:finta|conto) che|metti che|e se (?:io )?',
  play: "(?:immagina|fai finta|giochiamo|gioco di ruolo)[^.!?]{1,80}(?:io sono|io faccio|e io|sono) (?:una?|il|la|un['’])",
  conditional: {
    condition: 'se (?:io )?(?:fossi|avessi(?! da)|vivessi|abitassi|potessi|vincessi|lavorassi)',
    consequence: '\\p{L}{1,30}rei',
    fact: 'ma|però|perché',
  },
});
