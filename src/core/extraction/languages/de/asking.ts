import { type AskingWords, askingWords } from '../asking-words.ts';

export const germanAsking: AskingWords = askingWords({
  polite: 'bitte|und|oder|aber|dann|jetzt|nun|also|einfach|mal|vielleicht|ok|so',
  tasks: [
    '(?:zeig|sag|gib|hilf|erklär|nenn|schick|erzähl|empfiehl|mach|schreib|schlag|lies|such|verrat)(?:e|en sie)? (?:mir|uns)',
    '(?:schreib|erstell|übersetz|fass|such|find|vergleich|mach|streich|kürz|lösch|änder|ersetz|füg|nimm|setz|stell|formulier|korrigier|prüf|rechne|berechne|sortier|nenn|liste|zähl|erfinde|rate|lass|tu|pack)(?:e|en sie)? (?:(?:bitte|mal|noch|doch|nur|jetzt) )*(?:eine?[nmrs]?|den|die|das|dies\\p{L}*|es|sie|ihn|alle\\p{L}*|was|kurz|["„“\'‚]|\\p{N})',
    '(?:übersetze?|fasse?) (?:mir )?(?:ins|auf|in|nach|kurz|zusammen)',
  ],
  lasting: 'immer|nie|niemals|ab jetzt|ab sofort|künftig|in zukunft|jedes mal|mein\\p{L}*',
  quoting:
    '(?<!\\p{L})(?:(?<!(?<!\\p{L})ich )(?:schr(?:ieb|eibt)|sagt(?:e)?|meint(?:e)?|antwortet(?:e)?)|übersetze?|korrigiere?|fasse?|liedtext|songtext|aufsatz|brief|e-?mail|nachricht|gedicht|geschichte|figur|zitat)(?!\\p{L})',
  supposing:
    'angenommen|stell dir vor|nehmen wir (?:mal )?an|gesetzt den fall|tun wir (?:mal )?so|mal angenommen',
  play: '(?:stell dir vor|tu so|spiel|lass uns spielen|du spielst|rollenspiel)[^.!?]{1,80}(?:ich bin|ich spiele|und ich) (?:eine?|der|die|dein\\p{L}*)',
  conditional: {
    condition: 'wenn ich (?!ehrlich)[^,]*(?:würde|wäre|hätte|könnte)(?=,)',
    consequence: '(?:würde|wäre|hätte|könnte|müsste)[nt]?',
    fact: 'aber|weil|denn|doch|obwohl',
  },
});
