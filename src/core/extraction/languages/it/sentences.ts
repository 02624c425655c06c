import type { SentenceWords } from '../rules.ts';

export const italianSentences: SentenceWords = {
  speaker: 'io|mi[oa]',
  joints: 'e|ma',
  conjunctions: 'e|ma|perché|però|siccome',
  relatives: 'che|cui',
  people: 'lui|lei|loro',
  things: '(?:questo|quello)(?= (?:è|era|ha|va)(?!\\p{L}))',
  unnamed: [
    /^(?:viene|arriva|comincia|inizia|finisce|apre|chiude|costa|dura) (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|alle|il \p{N}|domani|oggi|dopodomani|la (?:settimana|prossima)|\p{N})/iu,
    /^(?:facciamo|faccio|andiamo|vado|prendiamo|usiamo) (?:\S+ ){1,4}(?:al suo posto|invece)[.!]*$/iu,
    /^(?:sì|no|ok|va bene),? ma (?:senza|con|non|niente|solo|meno|più)(?!\p{L})/iu,
  ],
  joining: 'e|che',
  possessives: 'su[oa]|mi[oa]',
  role: 'come',
  places: 'presso|per|in|nel|nella|a',
  textTasks: 'tradu[rc]|riassum|corregg|riscriv|riformul',
  abbreviations: 'dott|sig|ing|prof|tel',
};
